// The agent hands the conversation over to the team.
globalThis.respond = () => ({ text: 'I have asked a teammate to join.', fields: { state: 'handoff_requested' } });
addEventListener('example-ready', () => chat.send('I would like to talk to a person.'));
