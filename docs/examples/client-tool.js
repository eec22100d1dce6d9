// The shop's own backend, and an agent that calls the tool if the page offers it.
const orders = { 4711: { status: 'shipped', arrives: 'Monday' } };
globalThis.fetch = async (url) => Response.json(orders[url.split('/').at(-1)] ?? {});
globalThis.respond = () => ({
  tools: [{ name: 'get_order_status', arguments: { order_number: '4711' } }],
  text: ([call]) =>
    call?.ok
      ? `Your order is ${call.result.status}, and arrives on ${call.result.arrives}.`
      : 'I cannot look up your order on this page.',
});
addEventListener('example-ready', () => chat.send('Where is my order 4711?'));
