// Asks again, also when you have agreed here before.
for (const key of Object.keys(localStorage)) if (key.startsWith('workspace-chat-consent')) localStorage.removeItem(key);
globalThis.respond = () => 'Thank you. How can we help?';
