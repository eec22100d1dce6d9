/** Effects of a fault beyond its turn: missing credentials, the Arabic sentences, the next call. */
import { expect } from '@playwright/test';
import { response } from '../../support/fakes/fake-service.ts';
import type { Fault } from '../../support/pages/fault.ts';
import { reply } from '../../support/servers/server-faults.ts';
import { turnFault, confirmed, interrupted, storedInterrupted, unlinked } from './turn-fault.ts';

export const effectFaults: Fault[] = [
  turnFault({
    name: 'an id without a token',
    cause: 'The first reply has a conversation id but no token.',
    outcome: 'The reply is rendered. The next message starts a new conversation, since this one cannot continue.',
    respond: (call) => call.startStream().event('done', response()).end(),
    shows: [confirmed, 'assistant: Hello there'],
    keeps: ['visitor confirmed: Hi', 'ai whole: Hello there', 'no credentials'],
  }),
  turnFault({
    name: 'end without done, in Arabic',
    cause: 'The fault of the same name, with the Arabic locale.',
    outcome: 'The same outcome, with Arabic sentences.',
    page: { attributes: { locale: 'ar' } },
    respond: (call) => call.startStream().delta('نصف').end(),
    shows: [
      confirmed,
      'assistant: نصف — انقطع الرد قبل اكتماله. [إعادة السؤال]',
      '(ستبدأ رسالتك التالية محادثة جديدة.)',
    ],
    keeps: storedInterrupted('نصف'),
  }),
  {
    name: 'cut, then a plain call',
    cause: 'This network cuts off streams, but not JSON responses.',
    outcome: 'The reply to the next question arrives as JSON. Later replies stream again.',
    async run(page, server) {
      server.onChat((call) => call.startStream().delta('Half').end(), reply('Two'), reply('Three'));
      await page.send('Hi');
      await page.expectTranscript(confirmed, interrupted('Half'), unlinked);
      await page.button('Ask again').click();
      await page.waitUntilIdle();
      await page.expectTranscript(confirmed, interrupted('Half'), unlinked, confirmed, 'assistant: Two');
      await page.send('More');
      await page.expectTranscript(
        confirmed,
        interrupted('Half'),
        unlinked,
        confirmed,
        'assistant: Two',
        'visitor: More',
        'assistant: Three',
      );
      const streams = server.chatCalls.map(({ body }) => (JSON.parse(body) as { stream?: boolean }).stream ?? false);
      expect(streams).toEqual([true, false, true]);
      await page.expectStored(
        'visitor confirmed: Hi',
        'ai interrupted: Half',
        'notice unlinked',
        'visitor confirmed: Hi',
        'ai whole: Two',
        'visitor confirmed: More',
        'ai whole: Three',
        'credentials cnv_1',
      );
    },
  },
];
