/** Webhooks: subscribed to at start, and believed only when they are signed. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Api } from './api.ts';

export interface WebhookEvent {
  /** `evt_…`, the same on every retry; the delivery's own id is not. */
  id: string;
  type: string;
  created_at: string;
  data: Record<string, unknown>;
}

const events = ['message.created', 'conversation.handoff_requested', 'conversation.closed', 'ticket.closed'];
const description = 'The site’s own backend';
/** Seconds a signature may be old, or ahead. */
const tolerance = 300;

/** The endpoint's secret. It is shown once, so the endpoint of an earlier start is replaced. */
export const subscribe = async (api: Api, url: string, agentId: string): Promise<string> => {
  const { data } = await api<{ data: { id: string; description: string | null }[] }>('GET', '/webhooks?limit=100');
  for (const earlier of data) {
    if (earlier.description === description) await api('DELETE', `/webhooks/${earlier.id}`);
  }
  const body = { url, events, agent_id: agentId, description };
  return (await api<{ secret: string }>('POST', '/webhooks', body)).secret;
};

/** @param raw The bytes as they came: parsed and written again they would be others. */
export const isGenuine = (raw: Buffer, signature: string, secret: string, now: number): boolean => {
  const [, at, given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  if (!at || !given || Math.abs(now / 1000 - Number(at)) > tolerance) return false;
  const expected = createHmac('sha256', secret).update(`${at}.`).update(raw).digest();
  return timingSafeEqual(expected, Buffer.from(given, 'hex'));
};

/** Whether an event is met for the first time: it is delivered again whenever an answer to it was lost. */
export const firstTimes = (now: () => number): ((id: string) => boolean) => {
  const met = new Map<string, number>();
  return (id) => {
    for (const [old, at] of met) if (now() - at > 2 * tolerance * 1000) met.delete(old);
    if (met.has(id)) return false;
    met.set(id, now());
    return true;
  };
};
