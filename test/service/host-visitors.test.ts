/** What the site's own backend does for a visitor: transcripts by e-mail, past conversations, and ratings. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { Host } from '../../demo/host/host.ts';
import { composeTranscript } from '../../demo/host/transcripts.ts';
import { replyAsTeam } from '../../service/chat/messages.ts';
import { useHost } from './host-fixture.ts';
import { textOfEmail, useMailServer } from './mail-server.ts';
import { startBefore } from './support.ts';

const server = useMailServer();
const fixture = useHost();
const { tested, visitor } = fixture;

/** A backend with everything that a visitor can use. */
let site: Host;
const startSite = (more: object = {}) =>
  fixture.start({
    identitySecret: 'a secret of at least 32 characters, for tests',
    teamUrl: `${fixture.api.url}/team`,
    mail: { smtpUrl: server.url, from: 'Palm & Clay <shop@example.com>', site: 'Palm & Clay' },
    ...more,
  });
startBefore(async () => {
  site = await startSite();
});
after(() => site.close());
beforeEach(() => {
  server.received.length = 0;
  server.rejectsWith = undefined;
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}, at = site) =>
  fetch(`${at.url}/host${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const signIn = async (at = site): Promise<{ cookie: string }> => {
  const response = await post('/session', {}, {}, at);
  return { cookie: response.headers.get('set-cookie')!.split(';')[0]! };
};

/** A visitor whose page has connected to the relay. */
const connected = async (headers: Record<string, string> = {}, text = 'I want to talk to a human', at = site) => {
  const someone = await visitor(text);
  const page = await fixture.follow(someone.id, someone.proof, headers, at);
  assert.equal(page.status, 200);
  return someone;
};

describe('the transcript by e-mail', () => {
  it('is sent to the address of the customer who is signed in, as text and HTML', async () => {
    const session = await signIn();
    const { id, proof } = await connected(session, 'Is **this** safe? <b>x</b>');
    await replyAsTeam({ db: tested.service.db, now: () => tested.clock.now }, id, 'Salma here: yes & no');
    const body = { conversation_id: id, email: 'Aisha@example.com', language: 'en' };
    const response = await post('/transcript', body, { ...session, 'x-conversation-proof': proof });
    assert.equal(response.status, 204);
    const [sent, ...others] = server.received;
    assert.deepEqual([sent!.to, others], [['Aisha@example.com'], []]);
    const text = textOfEmail(sent!);
    for (const part of [
      'Your conversation with Palm & Clay',
      'Is **this** safe? <b>x</b>',
      'Is **this** safe? &lt;b>x&lt;/b>',
      'yes &amp; no',
      'Team',
    ])
      assert.ok(text.includes(part), part);
  });

  it('is written from right to left in Arabic', () => {
    const messages = [
      { id: '1', role: 'user', content: 'متى تفتحون؟', created_at: '2026-03-04T10:00:00Z' },
      { id: '2', role: 'assistant', content: '**الأحد** <script>', created_at: '2026-03-04T10:00:05Z' },
    ];
    const { subject, html, text } = composeTranscript(messages, 'نخيل وطين', 'ar-OM');
    assert.equal(subject, 'محادثتك مع نخيل وطين');
    assert.match(html, /<html lang="ar" dir="rtl">/);
    assert.match(html, /<strong>الأحد<\/strong> &lt;script&gt;/);
    assert.match(text, /^أنت، ?|^أنت, /);
  });

  it('needs the proof of the conversation, and the address of the account', async () => {
    const session = await signIn();
    const { id, proof } = await connected(session);
    const other = await connected(session);
    const body = { conversation_id: id, email: 'aisha@example.com' };
    const send = async (fields: object, headers: Record<string, string>) =>
      (await post('/transcript', { ...body, ...fields }, headers)).status;
    assert.equal(await send({}, session), 401);
    assert.equal(await send({}, { ...session, 'x-conversation-proof': other.proof }), 401);
    assert.equal(await send({ email: 'stranger@example.com' }, { ...session, 'x-conversation-proof': proof }), 403);
    assert.equal(await send({}, { 'x-conversation-proof': proof }), 403, 'without a session');
    assert.equal(await send({ email: 'a\nb@example.com' }, { ...session, 'x-conversation-proof': proof }), 400);
    assert.deepEqual(server.received, []);
  });

  it('goes to any address where the site allows it, three times a day for a conversation', async () => {
    const open = await startSite({
      mail: { smtpUrl: server.url, from: 'shop@example.com', site: 'Shop', allowsAnyAddress: true },
    });
    try {
      const { id, proof } = await connected({}, 'I want to talk to a human', open);
      const send = (email: string) =>
        post('/transcript', { conversation_id: id, email }, { 'x-conversation-proof': proof }, open);
      for (const email of ['a@example.com', 'b@example.com', 'c@example.com'])
        assert.equal((await send(email)).status, 204);
      const fourth = await send('d@example.com');
      assert.equal(fourth.status, 429);
      assert.ok(Number(fourth.headers.get('retry-after')) > 80_000);
      assert.equal(server.received.length, 3);
    } finally {
      await open.close();
    }
  });

  it('says that it failed when the mail server rejects it', async () => {
    const session = await signIn();
    const { id, proof } = await connected(session);
    server.rejectsWith = 554;
    const body = { conversation_id: id, email: 'aisha@example.com' };
    assert.equal((await post('/transcript', body, { ...session, 'x-conversation-proof': proof })).status, 503);
  });
});

describe('the past conversations', () => {
  const read = async (query: string, headers: Record<string, string>): Promise<{ status: number; body: any }> => {
    const response = await fetch(`${site.url}/host/history${query}`, { headers });
    return { status: response.status, body: await response.json().catch(() => null) };
  };

  it('are those of the signed-in customer, newest first, with the first line', async () => {
    const session = await signIn();
    const first = await connected(session, 'Where is my order?\nIt is late.');
    tested.clock.now += 60_000;
    const second = await connected(session, 'أين طلبي؟');
    const stranger = await connected();
    const { body } = await read('', session);
    const shown = body.conversations.filter(({ id }: { id: string }) => [first.id, second.id].includes(id));
    assert.deepEqual(
      shown.map(({ id, text }: { id: string; text: string }) => [id, text]),
      [
        [second.id, 'أين طلبي؟'],
        [first.id, 'Where is my order?'],
      ],
    );
    assert.ok(!JSON.stringify(body).includes(stranger.id));
    const { body: opened } = await read(`?conversation_id=${first.id}`, session);
    assert.equal(opened.messages[0].content, 'Where is my order?\nIt is late.');
  });

  it('are rejected without a session, and for a conversation of another visitor', async () => {
    const session = await signIn();
    const stranger = await connected();
    assert.equal((await read('', {})).status, 401);
    assert.equal((await read(`?conversation_id=${stranger.id}`, {})).status, 401);
    assert.equal((await read(`?conversation_id=${stranger.id}`, session)).status, 404);
    assert.equal((await read('', { cookie: 'shop_session=guessed' })).status, 401);
  });
});

describe('the rating of a conversation', () => {
  const ticketOf = async (id: string): Promise<any> => {
    const { body } = await tested.api('GET', '/tickets?limit=100');
    return body.data.find((each: { conversation_id: string }) => each.conversation_id === id);
  };

  it('is stored in the ticket, with the comment that follows', async () => {
    const { id } = await connected();
    assert.equal((await post('/rating', { conversation_id: id, rating: -1 })).status, 204);
    assert.equal((await ticketOf(id)).csat_score, -1);
    const body = { conversation_id: id, rating: 1, comment: 'Quick, شكرًا' };
    assert.equal((await post('/rating', body)).status, 204);
    const ticket = await ticketOf(id);
    assert.deepEqual([ticket.csat_score, ticket.csat_comment], [1, 'Quick, شكرًا']);
    assert.ok(ticket.csat_at);
  });

  it('is rejected for other conversations and other values', async () => {
    const { id } = await visitor();
    assert.equal((await post('/rating', { conversation_id: id, rating: 1 })).status, 404, 'not connected');
    const known = await connected();
    for (const body of ['', '[]', { conversation_id: known.id }, { conversation_id: known.id, rating: 5 }])
      assert.equal((await post('/rating', body)).status, 400);
  });
});
