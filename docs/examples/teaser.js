// A teaser stands beside the launcher. It was perhaps shown in this visit already.
chat.mode = 'floating';
for (const storage of [localStorage, sessionStorage])
  for (const key of Object.keys(storage)) if (key.startsWith('workspace-chat-teaser')) storage.removeItem(key);
globalThis.respond = (message) => `You have asked: ${message}`;
