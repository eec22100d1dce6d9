/** The resources Action and Call. */
import { z } from '@hono/zod-openapi';
import type { StoredAction, StoredCall } from '../db/records.ts';

export const kind = z.enum(['http', 'collect_data', 'client_tool', 'integration']);
export const method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
export const dataAccess = z.enum(['none', 'visitor', 'contact']);
const object = z.record(z.string(), z.unknown());

export const actionOut = z
  .object({
    id: z.string(),
    agent_id: z.string(),
    name: z.string(),
    kind,
    description_en: z.string(),
    description_ar: z.string(),
    method,
    url_template: z.string(),
    host: z.string(),
    host_verified: z.boolean(),
    input_schema: object,
    output_pick: z.array(z.string()),
    data_access: dataAccess,
    requires_approval: z.boolean(),
    enabled: z.boolean(),
    has_headers: z.boolean(),
    header_names: z.array(z.string()),
    config: object,
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi('Action');

export type ActionOut = z.infer<typeof actionOut>;

export const serializeAction = (action: StoredAction, hostVerified: boolean): ActionOut => {
  return {
    id: action.id,
    agent_id: action.agentId,
    name: action.name,
    kind: action.kind,
    description_en: action.descriptionEn,
    description_ar: action.descriptionAr,
    method: action.method,
    url_template: action.urlTemplate,
    host: hostOf(action.urlTemplate),
    host_verified: hostVerified,
    input_schema: action.inputSchema,
    output_pick: action.outputPick,
    data_access: action.dataAccess,
    requires_approval: action.requiresApproval,
    enabled: action.enabled,
    has_headers: action.headerNames.length > 0,
    header_names: action.headerNames,
    config: action.config,
    created_at: action.createdAt.toISOString(),
    updated_at: action.updatedAt.toISOString(),
  };
};

/** Returns the host with its port, or an empty text when the template is no URL. */
export const hostOf = (urlTemplate: string): string => {
  return URL.canParse(urlTemplate) ? new URL(urlTemplate).host : '';
};

export const callOut = z
  .object({
    id: z.string(),
    at: z.string(),
    outcome: z.enum(['worked', 'failed', 'refused', 'waiting', 'approved', 'rejected', 'expired', 'sent']),
    reason: z.string().nullable(),
    detail: object,
    latency_ms: z.number().int().nullable(),
    conversation_id: z.string().nullable(),
    ticket_id: z.string().nullable(),
    inputs: z.array(z.string()),
    approval: object.nullable(),
    result: object.nullable(),
  })
  .openapi('Call');

export const serializeCall = (call: StoredCall): z.infer<typeof callOut> => {
  return {
    id: call.id,
    at: call.at.toISOString(),
    outcome: call.outcome,
    reason: call.reason,
    detail: call.detail,
    latency_ms: call.latencyMs,
    conversation_id: call.conversationId,
    ticket_id: call.ticketId,
    inputs: call.inputs,
    approval: call.approval,
    result: call.result,
  };
};
