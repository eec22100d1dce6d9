/** Identity: who the visitor is, and what nobody else may ever see. */
import type { FaultGroup } from '../support/pages/fault.ts';
import type { FaultPage } from '../support/pages/fault-page.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import { answered, refused } from '../support/servers/server-faults.ts';

const whole = ['visitor: Hi', 'agent: Hello there'];
const keptWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'pair cnv_1'];
const anew = { conversation_id: 'cnv_2', conversation_token: 'tok_2' };

const contacts = ({ posts }: HostileServer) =>
  posts.map(({ body }) => (JSON.parse(body) as { contact?: unknown }).contact);
const ids = ({ posts }: HostileServer) =>
  posts.map(({ body }) => (JSON.parse(body) as { conversation_id?: string }).conversation_id);

/** A proof by the user's id, as a script. */
const person = (id: string) => `{ user_id: '${id}', user_hash: 'hash-of-${id}' }`;
const identify = (page: FaultPage, contact: string) =>
  page.page.evaluate(`document.querySelector('workspace-chat').contact = ${contact}`);

/** The page names the visitor before it adds the element, and notes every frame in which `secret` can be read. */
const asPerson = (contact: string) => `
  window.prepare = () => {
    const { create } = window;
    window.create = (...args) => Object.assign(create(...args), { contact: ${contact} });
    requestAnimationFrame(function look() {
      const root = document.querySelector('workspace-chat')?.shadowRoot;
      if (root?.textContent.includes('secret of Amal')) window.isSeen = true;
      requestAnimationFrame(look);
    });
  };
`;
/** Changes with the reload that follows. */
const whoever = asPerson(`JSON.parse(localStorage.getItem('who') ?? 'null')`);
const become = (page: FaultPage, id: string | null) =>
  page.page.evaluate((name) => {
    localStorage.setItem('who', JSON.stringify(name && { user_id: name, user_hash: `hash-of-${name}` }));
  }, id);

/** Amal has had a conversation, which is stored. */
const amalWasHere = async (page: FaultPage, server: HostileServer) => {
  await become(page, 'amal');
  await page.reload();
  server.answer(answered());
  await page.send('secret of Amal');
  await page.shows('visitor: secret of Amal', 'agent: Hello there');
  await page.until(async () => (await page.record())?.conversationId, 'cnv_1');
};

export const identityFaults: FaultGroup = {
  title: 'identity',
  faults: [
    {
      name: 'nothing of the proof is kept',
      about: 'A visitor is proven by an id with its hash.',
      sees: 'The answer. Neither the id nor the hash is anywhere in the browser’s storage.',
      page: { init: asPerson(person('amal-7')) },
      async prove(page, server) {
        server.answer(answered());
        await page.send('Hi');
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => contacts(server), [{ user_id: 'amal-7', user_hash: 'hash-of-amal-7' }]);
        const kept = JSON.stringify([
          await page.record(),
          await page.page.evaluate('[{ ...localStorage }, { ...sessionStorage }]'),
        ]);
        await page.until(async () => [kept.includes('amal'), /"owner":"[0-9a-f]{64}"/.test(kept)], [false, true]);
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'a token',
      about: 'A visitor is proven by a signed token, given by `identify()`.',
      sees: 'The answer. Of the token nothing is kept but the hash of the id that it names.',
      async prove(page, server) {
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
        const token = `${part({ alg: 'HS256' })}.${part({ sub: 'أمل-7', exp: 4_000_000_000 })}.c2lnbmF0dXJl`;
        await page.page.evaluate((given) => {
          document.querySelector('workspace-chat')!.identify({ token: given });
        }, token);
        server.answer(answered());
        await page.send('Hi');
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => contacts(server), [{ token }]);
        const { createHash } = await import('node:crypto');
        const owner = createHash('sha256').update('أمل-7').digest('hex');
        await page.until(async () => (await page.record())?.owner, owner);
        await page.until(async () => JSON.stringify(await page.record()).includes('c2lnbmF0dXJl'), false);
      },
    },
    {
      name: 'a token that is none',
      about: 'The page gives a token that cannot be read.',
      sees: '“Not sent. We could not confirm who you are. …” Nothing leaves.',
      page: { init: asPerson(`{ token: 'undefined' }`) },
      async prove(page, server) {
        await page.send('Hi');
        await page.settled();
        await page.shows(
          'visitor: Hi — Not sent We couldn’t confirm your identity. Sign in again, then send your message again. [Send again] [Edit]',
        );
        await page.keeps('visitor unsent: Hi', 'no pair');
        await page.until(async () => server.posts.length, 0);
      },
    },
    {
      name: 'signing in keeps the conversation',
      about: 'Nobody has begun it, and then signs in.',
      sees: 'The same conversation goes on.',
      async prove(page, server) {
        server.answer(answered(), answered('Again'));
        await page.send('Hi');
        await page.shows(...whole);
        await identify(page, person('amal'));
        await page.send('More');
        await page.shows(...whole, 'visitor: More', 'agent: Again');
        await page.until(async () => ids(server), [undefined, 'cnv_1']);
        await page.keeps(...keptWhole.slice(0, 2), 'visitor confirmed: More', 'ai whole: Again', 'pair cnv_1');
      },
    },
    {
      name: 'the same person comes back',
      about: 'The page proves the visitor by a function that takes its time.',
      sees: 'Nothing of the conversation until the proof is there, then all of it.',
      page: { init: whoever },
      async prove(page, server) {
        await amalWasHere(page, server);
        await page.context.addInitScript(
          asPerson(`() => new Promise((resolve) => { window.proveIt = () => resolve(${person('amal')}); })`),
        );
        await page.reload();
        await page.page.waitForFunction('window.proveIt');
        await page.shows();
        await page.page.evaluate('window.proveIt()');
        await page.shows('visitor: secret of Amal', 'agent: Hello there');
        await page.until(async () => server.posts.length, 1);
        await page.keeps('visitor confirmed: secret of Amal', 'ai whole: Hello there', 'pair cnv_1');
      },
    },
    {
      name: 'somebody else comes',
      about: 'Another person is signed in when the page is loaded again.',
      sees: 'An empty conversation, without a frame of the other’s; the record is gone.',
      page: { init: whoever },
      async prove(page, server) {
        await amalWasHere(page, server);
        await become(page, 'badr');
        await page.reload();
        await page.keepsNothing();
        await page.shows();
        await page.until(() => page.page.evaluate('window.isSeen ?? false'), false);
        server.answer(answered('Hello there', anew));
        await page.send('Hi');
        await page.shows(...whole);
        await page.until(async () => ids(server), [undefined, undefined]);
        await page.keeps(...keptWhole.slice(0, 2), 'pair cnv_2');
      },
    },
    {
      name: 'nobody comes',
      about: 'The page is loaded again without a visitor who is proven.',
      sees: 'Nothing of the other’s, not for a frame; the first message begins an own conversation.',
      page: { init: whoever },
      async prove(page, server) {
        await amalWasHere(page, server);
        await become(page, null);
        await page.reload();
        await page.shows();
        server.answer(answered('Hello there', anew));
        await page.send('Hi');
        await page.shows(...whole);
        await page.until(() => page.page.evaluate('window.isSeen ?? false'), false);
        await page.until(async () => ids(server), [undefined, undefined]);
        await page.keeps(...keptWhole.slice(0, 2), 'pair cnv_2');
      },
    },
    {
      name: 'the visitor changes in the page',
      about: '`contact` is set to another person, in a page that stays.',
      sees: 'The conversation is gone at once.',
      page: { init: whoever },
      async prove(page, server) {
        await amalWasHere(page, server);
        await identify(page, person('badr'));
        await page.shows();
        await page.keepsNothing();
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'the visitor changes in mid-turn',
      about: '`contact` is set to another person while the first answer is on its way.',
      sees: 'Neither the question nor the answer is there for the other.',
      page: { init: asPerson(person('amal')) },
      async prove(page, server) {
        server.answer(() => {});
        await page.send('secret of Amal');
        await server.received(1);
        await identify(page, person('badr'));
        await page.shows();
        await page.keepsNothing();
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'logout in every tab',
      about: 'The visitor signs out in one of two tabs.',
      sees: 'The conversation is gone in both.',
      page: { init: whoever },
      async prove(page, server) {
        await amalWasHere(page, server);
        const tab = await page.openTab();
        await tab.shows('visitor: secret of Amal', 'agent: Hello there');
        await tab.page.evaluate(() => document.querySelector('workspace-chat')!.logout());
        await tab.shows();
        await page.shows();
        await page.keepsNothing();
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'another tab, where nobody is known',
      about: 'A visitor signs in in one tab; in the other the page knows nobody.',
      sees: 'In the other tab what they said together stays no longer, since it belongs to somebody now.',
      async prove(page, server) {
        server.answer(answered(), answered('Again'));
        await page.send('Hi');
        await page.shows(...whole);
        const tab = await page.openTab();
        await tab.shows(...whole);
        await identify(page, person('amal'));
        await page.send('secret of Amal');
        await page.shows(...whole, 'visitor: secret of Amal', 'agent: Again');
        await tab.shows();
        await page.until(async () => server.posts.length, 2);
        await page.keeps(
          ...keptWhole.slice(0, 2),
          'visitor confirmed: secret of Amal',
          'ai whole: Again',
          'pair cnv_1',
        );
      },
    },
    {
      name: 'identity_rejected, renewed',
      about: 'The service refuses a stale proof; the page’s function gives a fresh one.',
      sees: 'The answer, as if nothing had been.',
      page: {
        init: asPerson(
          `async () => ({ user_id: 'amal', user_hash: 'hash-' + (window.proofs = (window.proofs ?? 0) + 1) })`,
        ),
      },
      async prove(page, server) {
        server.answer(refused(401, 'identity_rejected'), answered());
        await page.send('Hi');
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(
          async () => contacts(server),
          [
            { user_id: 'amal', user_hash: 'hash-1' },
            { user_id: 'amal', user_hash: 'hash-2' },
          ],
        );
      },
    },
    {
      name: 'identity_rejected twice',
      about: 'The fresh proof is refused as well.',
      sees: '“Not sent. We could not confirm who you are. …” The function was asked once more, and no more than that.',
      page: { init: asPerson(`async () => (${person('amal')})`) },
      async prove(page, server) {
        server.answer(refused(401, 'identity_rejected'), refused(401, 'identity_rejected'));
        await page.send('Hi');
        await page.settled();
        await page.shows(
          'visitor: Hi — Not sent We couldn’t confirm your identity. Sign in again, then send your message again. [Send again] [Edit]',
        );
        await page.keeps('visitor unsent: Hi', 'no pair');
        await page.until(async () => server.posts.length, 2);
      },
    },
    {
      name: 'identity_rejected of a fixed proof',
      about: 'The page has given a proof, and nothing to renew it by.',
      sees: '“Not sent. We could not confirm who you are. …”',
      page: { init: asPerson(person('amal')) },
      async prove(page, server) {
        server.answer(refused(401, 'identity_rejected'));
        await page.send('Hi');
        await page.settled();
        await page.shows(
          'visitor: Hi — Not sent We couldn’t confirm your identity. Sign in again, then send your message again. [Send again] [Edit]',
        );
        await page.keeps('visitor unsent: Hi', 'no pair');
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'the page’s function fails',
      about: 'The site’s own server does not answer the page’s function.',
      sees: '“Not sent. We could not confirm who you are. …” Nothing leaves without the proof.',
      page: { init: asPerson(`() => Promise.reject(new Error('no server'))`) },
      async prove(page, server) {
        await page.send('Hi');
        await page.settled();
        await page.shows(
          'visitor: Hi — Not sent We couldn’t confirm your identity. Sign in again, then send your message again. [Send again] [Edit]',
        );
        await page.keeps('visitor unsent: Hi', 'no pair');
        await page.until(async () => server.posts.length, 0);
      },
    },
    {
      name: 'the page’s function hangs',
      about: 'The page’s function never settles, and the visitor stops.',
      sees: 'The text is in the input again; the chat works once the page knows better.',
      page: { init: asPerson('() => new Promise(() => {})') },
      async prove(page, server) {
        await page.send('Hi');
        await page.button('Stop').click();
        await page.shows();
        await page.until(() => page.input.inputValue(), 'Hi');
        await identify(page, 'null');
        server.answer(answered());
        await page.send('Hi');
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'the page’s function takes too long',
      about: 'The page’s function has not settled after half a minute.',
      sees: '“Not sent. We could not confirm who you are. …”',
      page: { clock: true, init: asPerson('() => new Promise(() => {})') },
      async prove(page, server) {
        await page.send('Hi');
        await page.button('Stop').waitFor();
        for (let count = 0; count < 5; count++) await page.pass(8_000);
        await page.settled();
        await page.shows(
          'visitor: Hi — Not sent We couldn’t confirm your identity. Sign in again, then send your message again. [Send again] [Edit]',
        );
        await page.until(async () => server.posts.length, 0);
      },
    },
    {
      name: 'identity_mismatch',
      about: 'The conversation was proven to belong to somebody else.',
      sees: 'The other’s transcript goes; the message begins the visitor’s own conversation.',
      async prove(page, server) {
        server.answer(answered('secret of Amal'), refused(409, 'identity_mismatch'), answered('Hello there', anew));
        await page.send('Who am I?');
        await page.shows('visitor: Who am I?', 'agent: secret of Amal');
        await identify(page, person('badr'));
        await page.send('Hi');
        await page.shows(...whole);
        await page.until(async () => ids(server), [undefined, 'cnv_1', undefined]);
        await page.keeps(...keptWhole.slice(0, 2), 'pair cnv_2');
      },
    },
    {
      name: 'identity_unavailable',
      about: 'The service cannot check proofs for the moment.',
      sees: 'A countdown, then the answer.',
      page: { clock: true, init: asPerson(person('amal')) },
      async prove(page, server) {
        server.answer(refused(503, 'identity_unavailable', { 'retry-after': '4' }), answered());
        await page.send('Hi');
        await page.element.locator('.banner', { hasText: 'The service needs a moment.' }).waitFor();
        await page.keeps('visitor unsent: Hi', 'no pair');
        await page.pass(6_000);
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 2);
      },
    },
  ],
};
