/** Faults of the proof of identity that the page sets. */
import type { EngineFault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import { reply } from '../../support/servers/server-faults.ts';
import { whole, storedWhole } from '../expected.ts';
import { identityNotConfirmed, contacts, person, withContact } from './visitor.ts';

export const proofFaults: EngineFault[] = [
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
        await page.evaluate('[{ ...localStorage }, { ...sessionStorage }]'),
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
      await page.evaluate((given) => {
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
      await page.expectTranscript(identityNotConfirmed);
      await page.expectStored('visitor unsent: Hi', 'no credentials');
      await page.expectChatCalls(0);
    },
  },
];
