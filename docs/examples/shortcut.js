// The keys open and close a floating chat.
chat.mode = 'floating';
globalThis.respond = () => 'How can we help?';
