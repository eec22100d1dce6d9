// The site's backend, which creates the proof, and a service that reads it. The signature of this proof is not a real one.
const encode = (value) => btoa(JSON.stringify(value)).replaceAll('=', '');
const claims = { sub: 'cus_42', name: 'Lina', exp: Math.floor(Date.now() / 1000) + 300 };
const token = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}.signature`;
globalThis.fetch = async () => Response.json({ token });
globalThis.respond = (_text, { contact }) => {
  if (!contact?.token) return 'Hello! I do not know who you are.';
  const { name, sub } = JSON.parse(atob(contact.token.split('.')[1]));
  return `Hello ${name}! The proof of identity names the customer \`${sub}\`.`;
};
addEventListener('example-ready', () => chat.send('Hello'));
