/** Faults of the events in a stream: errors, invalid data, unknown and repeated events. */
import { started } from '../../support/fakes/fake-service.ts';
import type { Fault } from '../../support/pages/fault.ts';
import { confirmed, interrupted, cutFault, wholeFault, done, say, wholeText, unlinked } from './turn-fault.ts';

/** What a crashed service writes instead of the contract’s error. */
const dump = '{"code":"E_PANIC","message":"at main.go:42 <script>"}';

export const eventFaults: Fault[] = [
  cutFault('error event', 'The service ends its reply with an error event.', (call) =>
    call.event('error', { error: { code: 'internal_error', message: 'About it', request_id: 'req_1' } }).end(),
  ),
  {
    name: 'error event of any shape',
    cause:
      'The error event’s data is a text, a list, null, nothing, no JSON, a raw dump, or an envelope of another shape.',
    outcome: 'Each time the received text stays, marked as interrupted, with “Ask again”.',
    page: { attributes: { storage: 'memory' } },
    async run(page, server) {
      const shown: string[] = [];
      for (const data of ['"text"', '[]', 'null', '{}', 'no JSON', dump, '{"error":"text"}', '{"error":{"code":7}}']) {
        server.onChat((call) => call.startStream().delta('Half').event('error', data).end());
        await page.send('Hi');
        shown.push(confirmed, interrupted('Half'), unlinked);
        await page.expectTranscript(...shown);
        await page.waitUntilIdle();
      }
      await page.expectChatCalls(8);
      await page.expectNothingStored();
    },
  },
  wholeFault('malformed JSON in a delta', 'One of several deltas is not valid JSON.', (call) =>
    call.startStream().delta('Hello ').event('delta', '{"text": "bro').delta('there').write(done()).end(),
  ),
  cutFault('malformed JSON in done', 'The event that ends the reply is not valid JSON.', (call) =>
    call.event('done', '{"conversation_id":').end(),
  ),
  cutFault('done of no conversation', 'The event that ends the reply has no conversation id.', (call) =>
    call.event('done', { message: { id: 'm', role: 'assistant', content: 'Half' } }).end(),
  ),
  wholeFault('unknown events', 'The stream contains events that only newer versions know.', (call) =>
    call
      .startStream()
      .write(': keep-alive\n\nretry: 1\nid: 7\n\n')
      .event('thinking', { cause: 'it' })
      .event('__proto__', {})
      .event('toString', {})
      .write(wholeText)
      .end(),
  ),
  {
    ...wholeFault(
      'keys named __proto__',
      'The JSON has members named `__proto__` and `constructor` at every level.',
      (call) =>
        call
          .startStream()
          .event('delta', '{"__proto__": {"text": "polluted"}, "text": "Hello there"}')
          .event(
            'done',
            JSON.stringify(started()).replace(
              '{',
              '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}},',
            ),
          )
          .end(),
    ),
  },
  wholeFault('deltas after done', 'More deltas follow the event that ends the reply.', (call) =>
    call.startStream().write(wholeText).delta(' and more').end(),
  ),
  wholeFault('done twice', 'Two events end the reply, and the second one has another text.', (call) =>
    call
      .startStream()
      .write(wholeText)
      .write(done(say('Another')))
      .end(),
  ),
  wholeFault('done differs from the deltas', 'The text of the last event differs from the deltas.', (call) =>
    call.startStream().delta('Goodbye **all').write(done()).end(),
  ),
  wholeFault('done without text', 'The last event has an empty message, although the deltas had text.', (call) =>
    call
      .startStream()
      .delta('Hello there')
      .write(done(say('')))
      .end(),
  ),
];
