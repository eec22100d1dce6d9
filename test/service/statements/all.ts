/** All statements of the API contract. */
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
import { scopeStatements } from './scopes.ts';
import { sourceStatements } from './sources.ts';
import { streamStatements } from './streams.ts';
import { ticketStatements } from './tickets.ts';
import { monthStatements, usageStatements } from './usage.ts';
import { webhookStatements } from './webhooks.ts';
import type { Statement } from './statement.ts';

export const statements: Statement[] = [
  ...[agentStatements, sourceStatements, indexingStatements, chatStatements, streamStatements],
  ...[conversationStatements, contactStatements, contactChangeStatements],
  ...[leadStatements, ticketStatements, actionStatements, callStatements],
  ...[commonStatements, errorStatements, limitStatements],
  ...[authenticationStatements, identityStatements, scopeStatements],
  ...[usageStatements, webhookStatements, eventStatements, deliveryStatements, monthStatements],
].flat();
