// The agent replies with a block of a type that the widget does not know.
globalThis.respond = (text) =>
  text === 'Redeem my points'
    ? 'Done. You have 250 points left.'
    : { text: 'This is your card:', blocks: [{ type: 'loyalty_card', points: 1250 }] };
addEventListener('example-ready', () => chat.send('How many points do I have?'));
