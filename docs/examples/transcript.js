// The site's own backend. This one sends nothing.
globalThis.fetch = async (url, { headers, body }) => {
  console.log(url, Object.keys(Object.fromEntries(new Headers(headers))).join(', '), body);
  return new Response(null, { status: 204 });
};
globalThis.respond = () => 'We open at **nine**.';
addEventListener('example-ready', () => chat.send('When do you open?'));
