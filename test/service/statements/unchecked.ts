/** The statements of the contract that no call over HTTP can check. */
import type { UncheckedStatement } from './statement.ts';

export const unchecked: UncheckedStatement[] = [
  {
    section: 'Authentication, Chat',
    statement: 'Of a key only a hash is stored, and of the error of a client tool 120 characters.',
    reason: 'No response shows the stored rows. keys.test.ts and client-tools.test.ts read the tables.',
  },
  {
    section: 'Visitor identity',
    statement: 'Signatures are compared in constant time.',
    reason: 'The difference is below the noise of a connection. The comparison uses timingSafeEqual.',
  },
  {
    section: 'Webhook endpoint state',
    statement: 'The owner of the workspace gets an e-mail when an endpoint is disabled by failures.',
    reason: 'The service stores notices and sends no e-mail. webhooks.test.ts reads the notice.',
  },
  {
    section: 'Chat',
    statement: 'A tool result returns 404 when the actions feature is not on the server.',
    reason: 'The service always has the feature.',
  },
];
