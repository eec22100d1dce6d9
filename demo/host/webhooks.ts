/** Subscribes to the workspace's webhooks, and verifies their signatures. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Api } from './api.ts';

export interface WebhookEvent {
  /** `evt_…`, the same on every retry. The id of the delivery is different each time. */
  id: string;
  type: string;
  created_at: string;
  data: Record<string, unknown>;
}

const events = [
  'conversation.started',
  'message.created',
  'conversation.handoff_requested',
  'conversation.closed',
  'ticket.closed',
];
const description = 'The site’s own backend';
/** The maximum difference between a signature's time and the current time, in seconds. */
const tolerance = 300;
const maxWebhookBytes = 1024 * 1024;

/**
 * Subscribes an endpoint and returns its secret. The API shows a secret only once, so the endpoint of an earlier start is
 * replaced.
 */
export const subscribe = async (api: Api, url: string, agentId: string): Promise<string> => {
  const { data } = await api<{ data: { id: string; description: string | null }[] }>('GET', '/webhooks?limit=100');
  for (const earlier of data) {
    if (earlier.description === description) await api('DELETE', `/webhooks/${earlier.id}`);
  }
  const body = { url, events, agent_id: agentId, description };
  return (await api<{ secret: string }>('POST', '/webhooks', body)).secret;
};

interface Signature {
  at: number;
  /** More than one while the secret is being replaced. */
  values: string[];
}

const parseSignature = (header: string): Signature | undefined => {
  if (!/^t=\d{1,12}(,v1=[0-9a-f]{64}){1,5}$/.test(header)) return undefined;
  const [time, ...values] = header.split(',').map((part) => part.slice(part.indexOf('=') + 1));
  return { at: Number(time), values };
};

/** Returns whether a signature has its format and was made in the last minutes. Call it before you read the body. */
export const isTimely = (header: string, now: number): boolean => {
  const signature = parseSignature(header);
  return signature !== undefined && Math.abs(now / 1000 - signature.at) <= tolerance;
};

/**
 * Verifies the signature of a webhook.
 * @param raw The received bytes. Parsed and serialized JSON would have other bytes.
 */
export const isGenuine = (raw: Buffer, header: string, secret: string, now: number): boolean => {
  const signature = parseSignature(header);
  if (!signature || !isTimely(header, now)) return false;
  const expected = createHmac('sha256', secret).update(`${signature.at}.`).update(raw).digest();
  return signature.values.some((value) => timingSafeEqual(expected, Buffer.from(value, 'hex')));
};

/** Reads the body of a webhook. Returns undefined when it is too large. */
export const readWebhook = async (request: Request): Promise<Buffer | undefined> => {
  if (Number(request.headers.get('content-length') ?? 0) > maxWebhookBytes) return undefined;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.byteLength;
    if (length > maxWebhookBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

/** In milliseconds. The last retry follows 14 hours and 36 minutes after the first delivery. */
const deliveryTime = 15 * 60 * 60 * 1000;

/**
 * Returns a function that returns whether an event id is new. The API delivers an event again when the response was lost.
 */
export const createEventFilter = (now: () => number): ((id: string) => boolean) => {
  const seen = new Map<string, number>();
  return (id) => {
    for (const [old, at] of seen) {
      if (now() - at <= deliveryTime) break;
      seen.delete(old);
    }
    if (seen.has(id)) return false;
    seen.set(id, now());
    return true;
  };
};
