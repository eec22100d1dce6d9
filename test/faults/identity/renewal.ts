/** Faults of proofs that the service refuses, and of functions that return a new proof. */
import type { EngineFault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import { reply, errorResponse } from '../../support/servers/server-faults.ts';
import { completeTurn, ids, storedWhole, whole } from '../expected.ts';
import { identityNotConfirmed, anew, contacts, person, identify, withContact } from './visitor.ts';

export const renewalFaults: EngineFault[] = [
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
      await page.expectTranscript(identityNotConfirmed);
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
      await page.expectTranscript(identityNotConfirmed);
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
      await page.expectTranscript(identityNotConfirmed);
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
      await page.click('Stop');
      await page.expectTranscript();
      await page.expectInput('Hi');
      await identify(page, 'null');
      await completeTurn(page, server);
    },
  },
  {
    name: 'the page’s function takes too long',
    cause: 'The page’s function has not settled after half a minute.',
    outcome: '“Not sent. We could not confirm who you are. …”',
    needs: 'the fake clock',
    page: { hasFakeClock: true, initScript: withContact('() => new Promise(() => {})') },
    async run(page) {
      await page.send('Hi');
      await page.waitForButton('Stop');
      for (let count = 0; count < 5; count++) await page.fastForward(8_000);
      await page.waitUntilIdle();
      await page.expectTranscript(identityNotConfirmed);
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
    needs: 'the fake clock',
    page: { hasFakeClock: true, initScript: withContact(person('amal')) },
    async run(page, server) {
      server.onChat(errorResponse(503, 'identity_unavailable', { 'retry-after': '4' }), reply());
      await page.send('Hi');
      await page.waitForBanner('The service is busy.');
      await page.expectStored('visitor unsent: Hi', 'no credentials');
      await page.fastForward(6_000);
      await page.expectTranscript(...whole);
      await page.expectStored(...storedWhole);
      await page.expectChatCalls(2);
    },
  },
];
