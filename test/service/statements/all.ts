/** All statements of the API contract, in the order in which they are checked. */
import { actionChangeStatements } from './action-changes.ts';
import { actionStatements } from './actions.ts';
import { agentStatements } from './agents.ts';
import { authenticationStatements } from './authentication.ts';
import { callStatements } from './calls.ts';
import { chatStatements } from './chat.ts';
import { commonStatements } from './common.ts';
import { contactChangeStatements } from './contact-changes.ts';
import { contactStatements } from './contacts.ts';
import { conversationStatements } from './conversations.ts';
import { deliveryStatements } from './deliveries.ts';
import { errorStatements } from './errors.ts';
import { eventStatements } from './events.ts';
import { identityStatements } from './identity.ts';
import { indexingStatements } from './indexing.ts';
import { leadStatements } from './leads.ts';
import { limitStatements } from './limits.ts';
import { messageStatements } from './messages.ts';
import { scopeStatements } from './scopes.ts';
import { sourceStatements } from './sources.ts';
import type { Statement } from './statement.ts';
import { streamStatements } from './streams.ts';
import { submissionStatements } from './submissions.ts';
import { ticketChangeStatements } from './ticket-changes.ts';
import { ticketStatements } from './tickets.ts';
import { monthStatements, usageStatements } from './usage.ts';
import { webhookStatements } from './webhooks.ts';

export const statements: Statement[] = [
  agentStatements,
  sourceStatements,
  indexingStatements,
  chatStatements,
  streamStatements,
  conversationStatements,
  messageStatements,
  contactStatements,
  contactChangeStatements,
  leadStatements,
  ticketStatements,
  ticketChangeStatements,
  actionStatements,
  actionChangeStatements,
  callStatements,
  submissionStatements,
  commonStatements,
  errorStatements,
  limitStatements,
  authenticationStatements,
  identityStatements,
  scopeStatements,
  usageStatements,
  webhookStatements,
  eventStatements,
  deliveryStatements,
  // Moves the time to the next month.
  monthStatements,
].flat();
