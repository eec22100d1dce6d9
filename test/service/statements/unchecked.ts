/** The statements of the contract that no call over HTTP can check. */
import type { UncheckedStatement } from './statement.ts';

export const unchecked: UncheckedStatement[] = [
  {
    section: 'Authentication',
    statement: 'Only a hash of a key is stored.',
    reason: 'The stored form of a key is not visible over HTTP. keys.test.ts reads the table.',
  },
  {
    section: 'Visitor identity',
    statement: 'Signatures are compared in constant time.',
    reason: 'The difference is below the noise of a network. The comparison uses timingSafeEqual.',
  },
  {
    section: 'Webhook endpoint state',
    statement: 'The owner of the workspace gets an e-mail when an endpoint is disabled by failures.',
    reason: 'The service stores notices and sends no e-mail. webhook-deliveries.test.ts reads the notice.',
  },
  {
    section: 'Versioning',
    statement: 'Changes in v2 only add fields and endpoints.',
    reason: 'A promise about later versions. contract.test.ts compares the operations with the list.',
  },
];
