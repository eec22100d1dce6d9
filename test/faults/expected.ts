/** What the page shows, stores and sends in the turns of the fault tests. */
import type { FaultPage } from '../support/pages/fault-page.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';

/** The transcript and the stored record after the message “Hi” and its reply. */
export const whole = ['visitor: Hi', 'assistant: Hello there'];
export const storedWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'credentials cnv_1'];

/** The buttons of a message that was not sent, or whose delivery is not confirmed. */
export const again = '[Send again] [Edit]';

/** Returns the bodies of the chat calls, in order. */
export const bodies = ({ chatCalls }: HostileServer) =>
  chatCalls.map(({ body }) => JSON.parse(body) as { conversation_id?: string; contact?: unknown; stream?: boolean });

/** Returns the conversation ids of the chat calls, in order. */
export const ids = (server: HostileServer) => bodies(server).map(({ conversation_id }) => conversation_id);

/** Returns the error events that the element has dispatched. */
export const failures = async (page: FaultPage) => (await page.events()).filter((event) => event.startsWith('error'));
