// A short conversation that shows the visitor's and the agent's colours.
globalThis.respond = () => ({
  text: 'We open at **nine**. See [our opening hours](https://shop.example/hours).',
  blocks: [{ type: 'options', options: [{ label: 'And on Sunday?' }, { label: 'Where are you?' }] }],
});
addEventListener('example-ready', () => chat.send('When do you open?'));
