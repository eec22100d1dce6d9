// The agent calls the tool, and the page asks the visitor first.
globalThis.cancel = (number) => ({ canceled: number });
globalThis.respond = () => ({
  tools: [{ name: 'cancel_order', arguments: { order_number: '4711' } }],
  text: ([call]) => (call?.ok ? 'Your order is canceled.' : 'I have not canceled your order.'),
});
addEventListener('example-ready', () => chat.send('Please cancel my order 4711.'));
