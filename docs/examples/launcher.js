// The launcher needs no conversation.
globalThis.respond = () => 'How can we help?';
