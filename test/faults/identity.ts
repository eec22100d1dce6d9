/** Identity: who the visitor is, and what nobody else may ever see. */
import { expect } from '@playwright/test';
import { poll } from '../support/poll.ts';
import type { FaultGroup } from '../support/pages/fault.ts';
import type { FaultPage } from '../support/pages/fault-page.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import { reply, errorResponse } from '../support/servers/server-faults.ts';

const whole = ['visitor: Hi', 'assistant: Hello there'];
const keptWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'credentials cnv_1'];
const anew = { conversation_id: 'cnv_2', conversation_token: 'tok_2' };

const contacts = ({ chatCalls }: HostileServer) =>
  chatCalls.map(({ body }) => (JSON.parse(body) as { contact?: unknown }).contact);
const ids = ({ chatCalls }: HostileServer) =>
  chatCalls.map(({ body }) => (JSON.parse(body) as { conversation_id?: string }).conversation_id);

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
  server.onChat(reply());
  await page.send('secret of Amal');
  await page.expectTranscript('visitor: secret of Amal', 'assistant: Hello there');
  await poll(async () => (await page.record())?.conversationId).toBe('cnv_1');
};

export const identityFaults: FaultGroup = {
  title: 'identity',
  faults: [
    {
      name: 'nothing of the proof is kept',
      cause: 'A visitor is proven by an id with its hash.',
      outcome: 'The answer. Neither the id nor the hash is anywhere in the browser’s storage.',
      page: { initScript: asPerson(person('amal-7')) },
      async run(page, server) {
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...keptWhole);
        await poll(() => contacts(server)).toEqual([{ user_id: 'amal-7', user_hash: 'hash-of-amal-7' }]);
        const kept = JSON.stringify([
          await page.record(),
          await page.page.evaluate('[{ ...localStorage }, { ...sessionStorage }]'),
        ]);
        await poll(() => [kept.includes('amal'), /"owner":"[0-9a-f]{64}"/.test(kept)]).toEqual([false, true]);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'a token',
      cause: 'A visitor is proven by a signed token, given by `identify()`.',
      outcome: 'The answer. Of the token nothing is kept but the hash of the id that it names.',
      async run(page, server) {
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
        const token = `${part({ alg: 'HS256' })}.${part({ sub: 'أمل-7', exp: 4_000_000_000 })}.c2lnbmF0dXJl`;
        await page.page.evaluate((given) => {
          document.querySelector('workspace-chat')!.identify({ token: given });
        }, token);
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...keptWhole);
        await poll(() => contacts(server)).toEqual([{ token }]);
        const { createHash } = await import('node:crypto');
        const owner = createHash('sha256').update('أمل-7').digest('hex');
        await poll(async () => (await page.record())?.owner).toEqual(owner);
        await poll(async () => JSON.stringify(await page.record()).includes('c2lnbmF0dXJl')).toBe(false);
      },
    },
    {
      name: 'a token that is none',
      cause: 'The page gives a token that cannot be read.',
      outcome: '“Not sent. We could not confirm who you are. …” Nothing leaves.',
      page: { initScript: asPerson(`{ token: 'undefined' }`) },
      async run(page) {
        await page.send('Hi');
        await page.waitUntilIdle();
        await page.expectTranscript(
          'visitor: Hi — Not sent We could not confirm who you are. Sign in again, then send your message again. [Send again] [Edit]',
        );
        await page.expectStored('visitor unsent: Hi', 'no credentials');
        await page.expectChatCalls(0);
      },
    },
    {
      name: 'signing in keeps the conversation',
      cause: 'Nobody has begun it, and then signs in.',
      outcome: 'The same conversation goes on.',
      async run(page, server) {
        server.onChat(reply(), reply('Again'));
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await identify(page, person('amal'));
        await page.send('More');
        await page.expectTranscript(...whole, 'visitor: More', 'assistant: Again');
        await poll(() => ids(server)).toEqual([undefined, 'cnv_1']);
        await page.expectStored(
          ...keptWhole.slice(0, 2),
          'visitor confirmed: More',
          'ai whole: Again',
          'credentials cnv_1',
        );
      },
    },
    {
      name: 'the same person comes back',
      cause: 'The page proves the visitor by a function that takes its time.',
      outcome: 'Nothing of the conversation until the proof is there, then all of it.',
      page: { initScript: whoever },
      async run(page, server) {
        await amalWasHere(page, server);
        await page.context.addInitScript(
          asPerson(`() => new Promise((resolve) => { window.proveIt = () => resolve(${person('amal')}); })`),
        );
        await page.reload();
        await page.page.waitForFunction('window.proveIt');
        await page.expectTranscript();
        await page.page.evaluate('window.proveIt()');
        await page.expectTranscript('visitor: secret of Amal', 'assistant: Hello there');
        await page.expectChatCalls(1);
        await page.expectStored('visitor confirmed: secret of Amal', 'ai whole: Hello there', 'credentials cnv_1');
      },
    },
    {
      name: 'somebody else comes',
      cause: 'Another person is signed in when the page is loaded again.',
      outcome: 'An empty conversation, without a frame of the other’s; the record is gone.',
      page: { initScript: whoever },
      async run(page, server) {
        await amalWasHere(page, server);
        await become(page, 'badr');
        await page.reload();
        await page.expectNothingStored();
        await page.expectTranscript();
        await poll(() => page.page.evaluate('window.isSeen ?? false')).toBe(false);
        server.onChat(reply('Hello there', anew));
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await poll(() => ids(server)).toEqual([undefined, undefined]);
        await page.expectStored(...keptWhole.slice(0, 2), 'credentials cnv_2');
      },
    },
    {
      name: 'nobody comes',
      cause: 'The page is loaded again without a visitor who is proven.',
      outcome: 'Nothing of the other’s, not for a frame; the first message begins an own conversation.',
      page: { initScript: whoever },
      async run(page, server) {
        await amalWasHere(page, server);
        await become(page, null);
        await page.reload();
        await page.expectTranscript();
        server.onChat(reply('Hello there', anew));
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await poll(() => page.page.evaluate('window.isSeen ?? false')).toBe(false);
        await poll(() => ids(server)).toEqual([undefined, undefined]);
        await page.expectStored(...keptWhole.slice(0, 2), 'credentials cnv_2');
      },
    },
    {
      name: 'the visitor changes in the page',
      cause: '`contact` is set to another person, in a page that stays.',
      outcome: 'The conversation is gone at once.',
      page: { initScript: whoever },
      async run(page, server) {
        await amalWasHere(page, server);
        await identify(page, person('badr'));
        await page.expectTranscript();
        await page.expectNothingStored();
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'the visitor changes in mid-turn',
      cause: '`contact` is set to another person while the first answer is on its way.',
      outcome: 'Neither the question nor the answer is there for the other.',
      page: { initScript: asPerson(person('amal')) },
      async run(page, server) {
        server.onChat(() => {});
        await page.send('secret of Amal');
        await server.waitForCalls(1);
        await identify(page, person('badr'));
        await page.expectTranscript();
        await page.expectNothingStored();
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'logout in every tab',
      cause: 'The visitor signs out in one of two tabs.',
      outcome: 'The conversation is gone in both.',
      page: { initScript: whoever },
      async run(page, server) {
        await amalWasHere(page, server);
        const tab = await page.openTab();
        await tab.expectTranscript('visitor: secret of Amal', 'assistant: Hello there');
        await tab.page.evaluate(() => document.querySelector('workspace-chat')!.logout());
        await tab.expectTranscript();
        await page.expectTranscript();
        await page.expectNothingStored();
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'another tab, where nobody is known',
      cause: 'A visitor signs in in one tab; in the other the page knows nobody.',
      outcome: 'In the other tab what they said together stays no longer, since it belongs to somebody now.',
      async run(page, server) {
        server.onChat(reply(), reply('Again'));
        await page.send('Hi');
        await page.expectTranscript(...whole);
        const tab = await page.openTab();
        await tab.expectTranscript(...whole);
        await identify(page, person('amal'));
        await page.send('secret of Amal');
        await page.expectTranscript(...whole, 'visitor: secret of Amal', 'assistant: Again');
        await tab.expectTranscript();
        await page.expectChatCalls(2);
        await page.expectStored(
          ...keptWhole.slice(0, 2),
          'visitor confirmed: secret of Amal',
          'ai whole: Again',
          'credentials cnv_1',
        );
      },
    },
    {
      name: 'identity_rejected, renewed',
      cause: 'The service refuses a stale proof; the page’s function gives a fresh one.',
      outcome: 'The answer, as if nothing had been.',
      page: {
        initScript: asPerson(
          `async () => ({ user_id: 'amal', user_hash: 'hash-' + (window.proofs = (window.proofs ?? 0) + 1) })`,
        ),
      },
      async run(page, server) {
        server.onChat(errorResponse(401, 'identity_rejected'), reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...keptWhole);
        await poll(() => contacts(server)).toEqual([
          { user_id: 'amal', user_hash: 'hash-1' },
          { user_id: 'amal', user_hash: 'hash-2' },
        ]);
      },
    },
    {
      name: 'identity_rejected twice',
      cause: 'The fresh proof is refused as well.',
      outcome:
        '“Not sent. We could not confirm who you are. …” The function was asked once more, and no more than that.',
      page: { initScript: asPerson(`async () => (${person('amal')})`) },
      async run(page, server) {
        server.onChat(errorResponse(401, 'identity_rejected'), errorResponse(401, 'identity_rejected'));
        await page.send('Hi');
        await page.waitUntilIdle();
        await page.expectTranscript(
          'visitor: Hi — Not sent We could not confirm who you are. Sign in again, then send your message again. [Send again] [Edit]',
        );
        await page.expectStored('visitor unsent: Hi', 'no credentials');
        await page.expectChatCalls(2);
      },
    },
    {
      name: 'identity_rejected of a fixed proof',
      cause: 'The page has given a proof, and nothing to renew it by.',
      outcome: '“Not sent. We could not confirm who you are. …”',
      page: { initScript: asPerson(person('amal')) },
      async run(page, server) {
        server.onChat(errorResponse(401, 'identity_rejected'));
        await page.send('Hi');
        await page.waitUntilIdle();
        await page.expectTranscript(
          'visitor: Hi — Not sent We could not confirm who you are. Sign in again, then send your message again. [Send again] [Edit]',
        );
        await page.expectStored('visitor unsent: Hi', 'no credentials');
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'the page’s function fails',
      cause: 'The site’s own server does not answer the page’s function.',
      outcome: '“Not sent. We could not confirm who you are. …” Nothing leaves without the proof.',
      page: { initScript: asPerson(`() => Promise.reject(new Error('no server'))`) },
      async run(page) {
        await page.send('Hi');
        await page.waitUntilIdle();
        await page.expectTranscript(
          'visitor: Hi — Not sent We could not confirm who you are. Sign in again, then send your message again. [Send again] [Edit]',
        );
        await page.expectStored('visitor unsent: Hi', 'no credentials');
        await page.expectChatCalls(0);
      },
    },
    {
      name: 'the page’s function hangs',
      cause: 'The page’s function never settles, and the visitor stops.',
      outcome: 'The text is in the input again; the chat works once the page knows better.',
      page: { initScript: asPerson('() => new Promise(() => {})') },
      async run(page, server) {
        await page.send('Hi');
        await page.button('Stop').click();
        await page.expectTranscript();
        await expect(page.input).toHaveValue('Hi');
        await identify(page, 'null');
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...keptWhole);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'the page’s function takes too long',
      cause: 'The page’s function has not settled after half a minute.',
      outcome: '“Not sent. We could not confirm who you are. …”',
      page: { hasFakeClock: true, initScript: asPerson('() => new Promise(() => {})') },
      async run(page) {
        await page.send('Hi');
        await page.button('Stop').waitFor();
        for (let count = 0; count < 5; count++) await page.fastForward(8_000);
        await page.waitUntilIdle();
        await page.expectTranscript(
          'visitor: Hi — Not sent We could not confirm who you are. Sign in again, then send your message again. [Send again] [Edit]',
        );
        await page.expectChatCalls(0);
      },
    },
    {
      name: 'identity_mismatch',
      cause: 'The conversation was proven to belong to somebody else.',
      outcome: 'The other’s transcript goes; the message begins the visitor’s own conversation.',
      async run(page, server) {
        server.onChat(reply('secret of Amal'), errorResponse(409, 'identity_mismatch'), reply('Hello there', anew));
        await page.send('Who am I?');
        await page.expectTranscript('visitor: Who am I?', 'assistant: secret of Amal');
        await identify(page, person('badr'));
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await poll(() => ids(server)).toEqual([undefined, 'cnv_1', undefined]);
        await page.expectStored(...keptWhole.slice(0, 2), 'credentials cnv_2');
      },
    },
    {
      name: 'identity_unavailable',
      cause: 'The service cannot check proofs for the moment.',
      outcome: 'A countdown, then the answer.',
      page: { hasFakeClock: true, initScript: asPerson(person('amal')) },
      async run(page, server) {
        server.onChat(errorResponse(503, 'identity_unavailable', { 'retry-after': '4' }), reply());
        await page.send('Hi');
        await page.element.locator('.banner', { hasText: 'The service needs a moment.' }).waitFor();
        await page.expectStored('visitor unsent: Hi', 'no credentials');
        await page.fastForward(6_000);
        await page.expectTranscript(...whole);
        await page.expectStored(...keptWhole);
        await page.expectChatCalls(2);
      },
    },
  ],
};
