/** What the page shows, stores and sends in an ordinary turn of the fault tests. */
import type { PortablePage } from '../support/pages/portable-page.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import { reply } from '../support/servers/server-faults.ts';

/** The transcript and the stored record after the message “Hi” and its reply. */
export const whole = ['visitor: Hi', 'assistant: Hello there'];
export const storedWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'credentials cnv_1'];

/** Sends “Hi”, and proves that the turn is complete: it is rendered, stored and sent once. */
export const completeTurn = async (page: PortablePage, server: HostileServer): Promise<void> => {
  server.onChat(reply());
  await page.send('Hi');
  await page.expectTranscript(...whole);
  await page.expectStored(...storedWhole);
  await page.expectChatCalls(1);
};

/** The buttons of a message that was not sent, or whose delivery is not confirmed. */
export const again = '[Send again] [Edit]';

/** Returns the bodies of the chat calls, in order. */
export const bodies = ({ chatCalls }: HostileServer) =>
  chatCalls.map(({ body }) => JSON.parse(body) as { conversation_id?: string; contact?: unknown; stream?: boolean });

/** Returns the conversation ids of the chat calls, in order. */
export const ids = (server: HostileServer) => bodies(server).map(({ conversation_id }) => conversation_id);

/** Returns the error events that the element has dispatched. */
export const failures = async (page: PortablePage) =>
  (await page.events()).filter((event) => event.startsWith('error'));
