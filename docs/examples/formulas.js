globalThis.respond = (text) => `You wrote: ${text}`;
