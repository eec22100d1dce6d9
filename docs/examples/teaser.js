// A teaser stands beside the launcher. It was perhaps shown in this visit already, or the chat of another example is open.
chat.mode = 'floating';
for (const storage of [localStorage, sessionStorage])
  for (const key of Object.keys(storage)) if (/^workspace-chat-(teaser|open)/.test(key)) storage.removeItem(key);
globalThis.respond = (message) => `You have asked: ${message}`;
