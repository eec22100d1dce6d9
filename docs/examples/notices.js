// Offers it again, also when you have decided here before.
localStorage.removeItem('workspace-chat-notify');
globalThis.respond = () => 'One moment, please.';
addEventListener('example-ready', () => chat.send('Is my order ready?'));
