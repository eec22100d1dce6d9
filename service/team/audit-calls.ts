/** Adds an entry to the audit log for each successful call whose operation does not add a more exact one itself. */
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { JsonObject } from '../../contract/wire.ts';
import { recordChange } from '../db/audit.ts';
import type { Dependencies } from '../http/dependencies.ts';
import type { TeamEnvironment } from './environment.ts';

interface AuditedCall {
  action: string;
  /** The members of the body that the entry has: no texts, names and addresses. */
  detail?: string[];
}

/** The target of the entry is the `id` of the path, or else the workspace. */
export const auditedCalls: Record<string, AuditedCall> = {
  'POST /team/conversations/:id/reply': { action: 'conversation.replied' },
  'POST /team/conversations/:id/close': { action: 'conversation.closed' },
  'PATCH /team/tickets/:id': { action: 'ticket.changed', detail: ['status', 'priority', 'assignee_user_id'] },
  'POST /team/tickets/:id/csat': { action: 'ticket.rated', detail: ['score'] },
  'POST /team/requests/:id': { action: 'request.decided', detail: ['approve'] },
  'POST /team/agents/:agent/actions/:id/verify-host': { action: 'action.host_checked' },
  'POST /team/agents/:id/lead-fields': { action: 'agent.lead_fields_changed' },
  'POST /team/ticket-fields': { action: 'workspace.ticket_fields_changed' },
  'POST /team/tag-rules': { action: 'workspace.tag_rules_changed' },
  'POST /team/webhooks/:id/test': { action: 'webhook.tested' },
  'POST /team/webhooks/:endpoint/deliveries/:id/replay': { action: 'delivery.replayed' },
  'POST /team/top-ups': { action: 'workspace.topped_up', detail: ['conversations'] },
  'POST /team/agents/:id/conversations': { action: 'agent.conversation_simulated', detail: ['channel'] },
  'POST /team/agents/:id/voice-sessions': { action: 'agent.voice_session_simulated' },
  'POST /team/messages/:id/feedback': { action: 'message.rated', detail: ['rating'] },
  'POST /team/contacts/:id/mail': { action: 'contact.mail_simulated', detail: ['event'] },
  'POST /team/campaigns': { action: 'workspace.campaign_simulated', detail: ['recipients'] },
};

export const auditCalls = ({ db, now }: Dependencies) =>
  createMiddleware<TeamEnvironment>(async (context, next) => {
    await next();
    const audited = auditedCalls[`${context.req.method} ${routePath(context, -1)}`];
    if (!audited || !context.res.ok) return;
    const { caller } = context.var;
    const body = await context.req.json<JsonObject>();
    const detail = Object.fromEntries(
      (audited.detail ?? []).filter((name) => name in body).map((name) => [name, body[name]]),
    );
    const target = context.req.param('id') ?? caller.workspaceId;
    await recordChange(db, caller, { action: audited.action, target, detail }, new Date(now()));
  });
