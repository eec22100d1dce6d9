/** Faults of identity: proofs that fail, and conversations that belong to another visitor. */
import { expect } from '@playwright/test';
import { poll } from '../support/poll.ts';
import type { FaultGroup } from '../support/pages/fault.ts';
import type { FaultPage } from '../support/pages/fault-page.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import { reply, errorResponse } from '../support/servers/server-faults.ts';

const whole = ['visitor: Hi', 'assistant: Hello there'];
const storedWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'credentials cnv_1'];
const anew = { conversation_id: 'cnv_2', conversation_token: 'tok_2' };

const contacts = ({ chatCalls }: HostileServer) =>
  chatCalls.map(({ body }) => (JSON.parse(body) as { contact?: unknown }).contact);
const ids = ({ chatCalls }: HostileServer) =>
  chatCalls.map(({ body }) => (JSON.parse(body) as { conversation_id?: string }).conversation_id);

/** A proof by user id and hash, as a script. */
const person = (id: string) => `{ user_id: '${id}', user_hash: 'hash-of-${id}' }`;
const identify = (page: FaultPage, contact: string) =>
  page.page.evaluate(`document.querySelector('workspace-chat').contact = ${contact}`);

/** Sets `contact` before the element is added, and records whether the secret is ever rendered in a frame. */
const withContact = (contact: string) => `
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
/** Takes the visitor from localStorage, so that a reload can change the visitor. */
const currentVisitor = withContact(`JSON.parse(localStorage.getItem('who') ?? 'null')`);
const become = (page: FaultPage, id: string | null) =>
  page.page.evaluate((name) => {
    localStorage.setItem('who', JSON.stringify(name && { user_id: name, user_hash: `hash-of-${name}` }));
  }, id);

/** Stores a conversation of the visitor Amal. */
const storeConversationOfAmal = async (page: FaultPage, server: HostileServer) => {
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
      name: 'a proof is not stored',
      cause: 'A visitor is identified by a user id and its hash.',
      outcome: 'The reply is rendered. Neither the id nor the hash is stored in the browser.',
      page: { initScript: withContact(person('amal-7')) },
      async run(page, server) {
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...storedWhole);
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
      cause: 'A visitor is identified by a signed token through `identify()`.',
      outcome: 'The reply is rendered. Only the hash of the token’s user id is stored.',
      async run(page, server) {
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
        const token = `${part({ alg: 'HS256' })}.${part({ sub: 'أمل-7', exp: 4_000_000_000 })}.c2lnbmF0dXJl`;
        await page.page.evaluate((given) => {
          document.querySelector('workspace-chat')!.identify({ token: given });
        }, token);
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...storedWhole);
        await poll(() => contacts(server)).toEqual([{ token }]);
        const { createHash } = await import('node:crypto');
        const owner = createHash('sha256').update('أمل-7').digest('hex');
        await poll(async () => (await page.record())?.owner).toEqual(owner);
        await poll(async () => JSON.stringify(await page.record()).includes('c2lnbmF0dXJl')).toBe(false);
      },
    },
    {
      name: 'an invalid token',
      cause: 'The page sets a token that cannot be decoded.',
      outcome: '“Not sent. We could not confirm who you are. …” Nothing is sent.',
      page: { initScript: withContact(`{ token: 'undefined' }`) },
      async run(page) {
        await page.send('Hi');
        await page.waitUntilIdle();
        await page.expectTranscript(
          'visitor: Hi — Not sent We couldn’t confirm your identity. Sign in again, then send your message again. [Send again] [Edit]',
        );
        await page.expectStored('visitor unsent: Hi', 'no credentials');
        await page.expectChatCalls(0);
      },
    },
    {
      name: 'signing in keeps the conversation',
      cause: 'An anonymous visitor starts a conversation and then signs in.',
      outcome: 'The same conversation continues.',
      async run(page, server) {
        server.onChat(reply(), reply('Again'));
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await identify(page, person('amal'));
        await page.send('More');
        await page.expectTranscript(...whole, 'visitor: More', 'assistant: Again');
        await poll(() => ids(server)).toEqual([undefined, 'cnv_1']);
        await page.expectStored(
          ...storedWhole.slice(0, 2),
          'visitor confirmed: More',
          'ai whole: Again',
          'credentials cnv_1',
        );
      },
    },
    {
      name: 'the same visitor returns',
      cause: 'The page proves the visitor’s identity by a function that resolves later.',
      outcome: 'Nothing of the conversation is rendered until the function resolves, then all of it.',
      page: { initScript: currentVisitor },
      async run(page, server) {
        await storeConversationOfAmal(page, server);
        await page.context.addInitScript(
          withContact(`() => new Promise((resolve) => { window.proveIt = () => resolve(${person('amal')}); })`),
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
      name: 'another visitor',
      cause: 'Another visitor is signed in when the page is reloaded.',
      outcome:
        'The conversation is empty, the other transcript is not rendered for a single frame, and its record is erased.',
      page: { initScript: currentVisitor },
      async run(page, server) {
        await storeConversationOfAmal(page, server);
        await become(page, 'badr');
        await page.reload();
        await page.expectNothingStored();
        await page.expectTranscript();
        await poll(() => page.page.evaluate('window.isSeen ?? false')).toBe(false);
        server.onChat(reply('Hello there', anew));
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await poll(() => ids(server)).toEqual([undefined, undefined]);
        await page.expectStored(...storedWhole.slice(0, 2), 'credentials cnv_2');
      },
    },
    {
      name: 'an anonymous visitor',
      cause: 'The page is reloaded without a proof of identity.',
      outcome:
        'The other transcript is not rendered for a single frame, and the first message starts a new conversation.',
      page: { initScript: currentVisitor },
      async run(page, server) {
        await storeConversationOfAmal(page, server);
        await become(page, null);
        await page.reload();
        await page.expectTranscript();
        server.onChat(reply('Hello there', anew));
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await poll(() => page.page.evaluate('window.isSeen ?? false')).toBe(false);
        await poll(() => ids(server)).toEqual([undefined, undefined]);
        await page.expectStored(...storedWhole.slice(0, 2), 'credentials cnv_2');
      },
    },
    {
      name: 'the visitor changes in the page',
      cause: '`contact` is set to another visitor without a reload.',
      outcome: 'The conversation is erased at once.',
      page: { initScript: currentVisitor },
      async run(page, server) {
        await storeConversationOfAmal(page, server);
        await identify(page, person('badr'));
        await page.expectTranscript();
        await page.expectNothingStored();
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'the visitor changes during a turn',
      cause: '`contact` is set to another visitor before the first reply has arrived.',
      outcome: 'The other visitor sees neither the question nor the reply.',
      page: { initScript: withContact(person('amal')) },
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
      outcome: 'The conversation is erased in both tabs.',
      page: { initScript: currentVisitor },
      async run(page, server) {
        await storeConversationOfAmal(page, server);
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
      name: 'another tab without an identity',
      cause: 'A visitor signs in in one of two tabs.',
      outcome: 'The other tab hides the transcript, since the conversation has an owner now.',
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
          ...storedWhole.slice(0, 2),
          'visitor confirmed: secret of Amal',
          'ai whole: Again',
          'credentials cnv_1',
        );
      },
    },
    {
      name: 'identity_rejected, renewed',
      cause: 'The service refuses an expired proof, and the page’s function returns a new one.',
      outcome: 'The reply is rendered, and the visitor notices nothing.',
      page: {
        initScript: withContact(
          `async () => ({ user_id: 'amal', user_hash: 'hash-' + (window.proofs = (window.proofs ?? 0) + 1) })`,
        ),
      },
      async run(page, server) {
        server.onChat(errorResponse(401, 'identity_rejected'), reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...storedWhole);
        await poll(() => contacts(server)).toEqual([
          { user_id: 'amal', user_hash: 'hash-1' },
          { user_id: 'amal', user_hash: 'hash-2' },
        ]);
      },
    },
    {
      name: 'identity_rejected twice',
      cause: 'The new proof is refused, too.',
      outcome: '“Not sent. We could not confirm who you are. …” The function is called exactly once more.',
      page: { initScript: withContact(`async () => (${person('amal')})`) },
      async run(page, server) {
        server.onChat(errorResponse(401, 'identity_rejected'), errorResponse(401, 'identity_rejected'));
        await page.send('Hi');
        await page.waitUntilIdle();
        await page.expectTranscript(
          'visitor: Hi — Not sent We couldn’t confirm your identity. Sign in again, then send your message again. [Send again] [Edit]',
        );
        await page.expectStored('visitor unsent: Hi', 'no credentials');
        await page.expectChatCalls(2);
      },
    },
    {
      name: 'identity_rejected of a fixed proof',
      cause: 'The page has set a proof without a function to renew it.',
      outcome: '“Not sent. We could not confirm who you are. …”',
      page: { initScript: withContact(person('amal')) },
      async run(page, server) {
        server.onChat(errorResponse(401, 'identity_rejected'));
        await page.send('Hi');
        await page.waitUntilIdle();
        await page.expectTranscript(
          'visitor: Hi — Not sent We couldn’t confirm your identity. Sign in again, then send your message again. [Send again] [Edit]',
        );
        await page.expectStored('visitor unsent: Hi', 'no credentials');
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'the page’s function fails',
      cause: 'The page’s function rejects.',
      outcome: '“Not sent. We could not confirm who you are. …” Nothing is sent without the proof.',
      page: { initScript: withContact(`() => Promise.reject(new Error('no server'))`) },
      async run(page) {
        await page.send('Hi');
        await page.waitUntilIdle();
        await page.expectTranscript(
          'visitor: Hi — Not sent We couldn’t confirm your identity. Sign in again, then send your message again. [Send again] [Edit]',
        );
        await page.expectStored('visitor unsent: Hi', 'no credentials');
        await page.expectChatCalls(0);
      },
    },
    {
      name: 'the page’s function hangs',
      cause: 'The page’s function never settles, and the visitor clicks Stop.',
      outcome: 'The text returns to the input, and the chat works once the page has changed `contact`.',
      page: { initScript: withContact('() => new Promise(() => {})') },
      async run(page, server) {
        await page.send('Hi');
        await page.button('Stop').click();
        await page.expectTranscript();
        await expect(page.input).toHaveValue('Hi');
        await identify(page, 'null');
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...storedWhole);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'the page’s function takes too long',
      cause: 'The page’s function has not settled after half a minute.',
      outcome: '“Not sent. We could not confirm who you are. …”',
      page: { hasFakeClock: true, initScript: withContact('() => new Promise(() => {})') },
      async run(page) {
        await page.send('Hi');
        await page.button('Stop').waitFor();
        for (let count = 0; count < 5; count++) await page.fastForward(8_000);
        await page.waitUntilIdle();
        await page.expectTranscript(
          'visitor: Hi — Not sent We couldn’t confirm your identity. Sign in again, then send your message again. [Send again] [Edit]',
        );
        await page.expectChatCalls(0);
      },
    },
    {
      name: 'identity_mismatch',
      cause: 'The conversation belongs to another visitor.',
      outcome: 'The other transcript is removed, and the message starts a new conversation.',
      async run(page, server) {
        server.onChat(reply('secret of Amal'), errorResponse(409, 'identity_mismatch'), reply('Hello there', anew));
        await page.send('Who am I?');
        await page.expectTranscript('visitor: Who am I?', 'assistant: secret of Amal');
        await identify(page, person('badr'));
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await poll(() => ids(server)).toEqual([undefined, 'cnv_1', undefined]);
        await page.expectStored(...storedWhole.slice(0, 2), 'credentials cnv_2');
      },
    },
    {
      name: 'identity_unavailable',
      cause: 'The service cannot verify proofs at the moment.',
      outcome: 'A countdown, then the reply.',
      page: { hasFakeClock: true, initScript: withContact(person('amal')) },
      async run(page, server) {
        server.onChat(errorResponse(503, 'identity_unavailable', { 'retry-after': '4' }), reply());
        await page.send('Hi');
        await page.element.locator('.banner', { hasText: 'The service is busy.' }).waitFor();
        await page.expectStored('visitor unsent: Hi', 'no credentials');
        await page.fastForward(6_000);
        await page.expectTranscript(...whole);
        await page.expectStored(...storedWhole);
        await page.expectChatCalls(2);
      },
    },
  ],
};
