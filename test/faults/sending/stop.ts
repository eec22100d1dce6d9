/** Faults of a reply that the visitor stops. */
import { started } from '../../support/fakes/fake-service.ts';
import type { Fault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import { reply, holdCall } from '../../support/servers/server-faults.ts';
import { whole, bodies, storedWhole } from '../expected.ts';

export const stopFaults: Fault[] = [
  {
    name: 'Stop during a reply',
    cause: 'The visitor stops a reply when the credentials are known.',
    outcome: 'The received part stays, marked “Stopped”, and the connection is closed.',
    async run(page, server) {
      const held = holdCall();
      server.onChat(reply(), held.handler);
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.send('More');
      const call = await held.call;
      call.startStream().delta('Half');
      await page.element.locator('.agent .text').nth(1).waitFor();
      await page.button('Stop').click();
      await call.closed();
      await page.expectTranscript(...whole, 'visitor: More', 'assistant: Half — Stopped');
      await page.expectStored(
        ...storedWhole.slice(0, 2),
        'visitor confirmed: More',
        'ai stopped: Half',
        'credentials cnv_1',
      );
      await page.expectChatCalls(2);
    },
  },
  {
    name: 'Stop during the first reply',
    cause: 'The visitor stops the first reply before the credentials are known.',
    outcome:
      'The received part stays, marked “Stopped”. The next message waits for the credentials and continues the conversation.',
    async run(page, server) {
      const held = holdCall();
      server.onChat(held.handler, reply('Again'));
      await page.send('Hi');
      const call = await held.call;
      call.startStream().delta('Half');
      await page.element.locator('.agent .text').waitFor();
      await page.button('Stop').click();
      await page.expectTranscript('visitor: Hi', 'assistant: Half — Stopped');
      await page.send('More');
      await page.expectBanner('Finishing the previous reply first…');
      call.event('done', started()).end();
      await page.expectTranscript('visitor: Hi', 'assistant: Half — Stopped', 'visitor: More', 'assistant: Again');
      await page.expectStored(
        'visitor confirmed: Hi',
        'ai stopped: Half',
        'visitor confirmed: More',
        'ai whole: Again',
        'credentials cnv_1',
      );
      await poll(() => bodies(server).map(({ conversation_id }) => conversation_id)).toEqual([undefined, 'cnv_1']);
    },
  },
];
