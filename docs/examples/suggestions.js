globalThis.respond = (message) => `You have asked: ${message}`;
