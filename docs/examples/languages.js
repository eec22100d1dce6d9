globalThis.respond = () => 'Hej! Hur kan vi hjälpa till?';
