globalThis.respond = () => 'Delivery takes two days.';
