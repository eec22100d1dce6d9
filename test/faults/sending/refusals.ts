/** Faults of refused messages and ended conversations. */
import type { Fault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import { reply, errorResponse } from '../../support/servers/server-faults.ts';
import { whole, bodies, again } from '../expected.ts';

/** An error response in the contract's envelope, which ends the turn. */
const refusalFault = (status: number, code: string, sentence: string): Fault => ({
  name: `${status} ${code}`,
  cause: `The service refuses the message with the code ${code}.`,
  outcome: `“Not sent. ${sentence}” The text is kept, and nothing is sent automatically.`,
  async run(page, server) {
    server.onChat(errorResponse(status, code), reply());
    await page.send('Hi');
    await page.waitUntilIdle();
    await page.expectTranscript(`visitor: Hi — Not sent ${sentence} ${again}`);
    await page.expectStored('visitor unsent: Hi', 'no credentials');
    await page.expectChatCalls(1);
    await page.button('Send again').click();
    await page.expectTranscript(...whole);
    await page.expectChatCalls(2);
  },
});

/** The service has ended the stored conversation. */
const overFault = (status: number, code: string): Fault => ({
  name: `${status} ${code}`,
  cause: 'The service has ended the conversation when the visitor writes again.',
  outcome:
    '“The previous conversation has ended. This is a new one.”, and the reply. The visitor does not type the message again.',
  async run(page, server) {
    server.onChat(
      reply(),
      errorResponse(status, code),
      reply('Anew', { conversation_id: 'cnv_2', conversation_token: 'tok_2' }),
    );
    await page.send('Hi');
    await page.expectTranscript(...whole);
    await page.send('More');
    await page.expectTranscript(
      ...whole,
      '(The previous conversation has ended. This is a new one.)',
      'visitor: More',
      'assistant: Anew',
    );
    await page.expectStored('notice restarted', 'visitor confirmed: More', 'ai whole: Anew', 'credentials cnv_2');
    await poll(() => bodies(server).map(({ conversation_id }) => conversation_id)).toEqual([
      undefined,
      'cnv_1',
      undefined,
    ]);
  },
});

export const refusalFaults: Fault[] = [
  refusalFault(401, 'unauthorized', 'The chat is not available on this page right now.'),
  refusalFault(409, 'agent_unavailable', 'The assistant is paused at the moment. Your message stays here.'),
  refusalFault(413, 'body_too_large', 'The message is too long. Shorten it and send it again.'),
  refusalFault(422, 'validation_error', 'The message was not accepted. Change it and send it again.'),
  refusalFault(500, 'internal_error', 'Something went wrong on our side.'),
  refusalFault(418, 'a_code_of_the_future', 'About a_code_of_the_future'),
  overFault(410, 'conversation_expired'),
  overFault(404, 'conversation_not_found'),
  {
    name: 'ended, twice in a row',
    cause: 'The service says that the new conversation has ended, too.',
    outcome: 'One new conversation is tried, then the message is marked “Not sent”. There is no loop.',
    async run(page, server) {
      server.onChat(reply(), errorResponse(410, 'conversation_expired'), errorResponse(410, 'conversation_expired'));
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.send('More');
      await page.waitUntilIdle();
      await page.expectTranscript(
        ...whole,
        '(The previous conversation has ended. This is a new one.)',
        `visitor: More — Not sent About conversation_expired ${again}`,
      );
      await page.expectStored('notice restarted', 'visitor unsent: More', 'no credentials');
      await page.expectChatCalls(3);
    },
  },
];
