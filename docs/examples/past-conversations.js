// The site's own backend, which knows the customer by the session.
const conversations = [
  { id: 'cnv_2', started_at: '2026-11-02T09:00:00Z', text: 'Where is my order 4711?' },
  { id: 'cnv_1', started_at: '2026-09-20T12:30:00Z', text: 'Do you repair bowls?' },
];
globalThis.fetch = async (url) => {
  const id = new URL(url, 'https://shop.example').searchParams.get('conversation_id');
  if (id === null) return Response.json({ conversations });
  const { text, started_at } = conversations.find((each) => each.id === id);
  const messages = [
    { id: `${id}_1`, role: 'user', content: text, created_at: started_at },
    { id: `${id}_2`, role: 'assistant', content: 'A teammate will call you today.', created_at: started_at },
  ];
  return Response.json({ messages });
};
globalThis.respond = () => 'How can we help?';
