globalThis.respond = () => 'It arrives on Monday.';
