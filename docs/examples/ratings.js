// A person of the team replies, and ends the conversation.
globalThis.respond = (message) => ({
  text: 'You are welcome.',
  fields: { state: message === 'Goodbye' ? 'closed' : 'human_active' },
});
addEventListener('example-ready', async () => {
  await chat.send('Thank you for your help.');
  await chat.send('Goodbye');
});
