/** Faults of time: streams that stall, never end or are slow. */
import type { Fault } from '../../support/pages/fault.ts';
import type { ServerCall } from '../../support/servers/server-call.ts';
import { noResponse } from '../../support/servers/server-faults.ts';
import { again } from '../expected.ts';
import {
  turnFault,
  confirmed,
  storedInterrupted,
  storedWhole,
  storedUnconfirmed,
  wholeOutcome,
  done,
  unlinked,
} from './turn-fault.ts';

export const timingFaults: Fault[] = [
  turnFault({
    name: 'stall after the first delta',
    cause: 'No byte follows the first delta, and the connection stays open.',
    outcome: 'After a minute without a byte the text stays, marked as interrupted, with “Ask again”.',
    respond: (call) => call.startStream().delta('Half'),
    pass: 61_000,
    shows: [confirmed, 'assistant: Half — The reply took too long. [Ask again]', unlinked],
    keeps: storedInterrupted('Half'),
  }),
  turnFault({
    name: 'stall before the headers',
    cause: 'The service accepts the call and never responds.',
    outcome: 'After a minute the message is marked “Not confirmed”, with “Send again”.',
    respond: noResponse,
    pass: 61_000,
    shows: [`visitor: Hi — Not confirmed The reply took too long. ${again}`],
    keeps: storedUnconfirmed,
  }),
  {
    name: 'endless keep-alives',
    cause: 'The stream contains only keep-alive comments, without end.',
    outcome: 'After ten minutes the text stays, marked as interrupted, with “Ask again”.',
    page: { hasFakeClock: true },
    async run(page, server) {
      let stream: ServerCall | undefined;
      server.onChat((call) => (stream = call.startStream().delta('Half')));
      await page.send('Hi');
      await page.element.locator('.agent .text').waitFor();
      for (let passed = 0; passed < 600_000; passed += 50_000) {
        await page.waitUntilRead(() => stream!.write(': keep-alive\n\n'));
        await page.fastForward(50_000);
      }
      await page.waitUntilIdle();
      await page.expectTranscript(confirmed, 'assistant: Half — The reply took too long. [Ask again]', unlinked);
      await page.expectStored(...storedInterrupted('Half'));
      await stream!.closed();
      await page.expectChatCalls(1);
    },
  },
  {
    name: 'a slow stream',
    cause: 'Fifty seconds pass between the deltas, with keep-alive comments in between.',
    outcome: wholeOutcome,
    page: { hasFakeClock: true },
    async run(page, server) {
      const pieces: (() => void)[] = [];
      server.onChat((call) => {
        call.startStream().delta('Hello ');
        pieces.push(
          () => call.write(': keep-alive\n\n'),
          () => call.delta('there'),
          () => call.write(done()).end(),
        );
      });
      await page.send('Hi');
      await page.element.locator('.agent .text').waitFor();
      for (const piece of pieces) {
        await page.fastForward(50_000);
        await page.waitUntilRead(piece);
      }
      await page.waitUntilIdle();
      await page.expectTranscript(confirmed, 'assistant: Hello there');
      await page.expectStored(...storedWhole('Hello there'));
      await page.expectChatCalls(1);
    },
  },
];
