/** Stores a visitor's rating of a conversation in its ticket, by an operation of the team side. */
import { Hono } from 'hono';
import { z } from 'zod';
import { listed, type Api } from './api.ts';
import type { Bindings } from './bindings.ts';
import { conversationId } from './conversations.ts';
import { RateLimit } from './rate-limit.ts';

interface RatingOptions {
  api: Api;
  /** Calls the team side. */
  team: Api;
  agentId: string;
  bindings: Bindings;
  now: () => number;
}

const day = 24 * 60 * 60 * 1000;

const request = z.object({
  conversation_id: conversationId,
  rating: z.union([z.literal(1), z.literal(-1)]),
  comment: z.string().max(1000).default(''),
});

interface Ticket {
  id: string;
  conversation_id: string | null;
}

export const ratingRoutes = ({ api, team, agentId, bindings, now }: RatingOptions): Hono => {
  const limit = new RateLimit(10, day, now);

  /** Returns the newest ticket of a conversation, or null. */
  const findTicket = async (id: string): Promise<Ticket | null> => {
    for await (const ticket of listed<Ticket>(api, '/tickets', { agent_id: agentId }))
      if (ticket.conversation_id === id) return ticket;
    return null;
  };

  return new Hono().post('/rating', async (context) => {
    const parsed = request.safeParse(await context.req.json().catch(() => null));
    if (!parsed.success) return context.body(null, 400);
    const { conversation_id: id, rating: score, comment } = parsed.data;
    // The page knows no proof. An id cannot be guessed, and must be one whose page has connected to the relay.
    if (!bindings.has(id)) return context.body(null, 404);
    const wait = limit.wait(id);
    if (wait > 0) return context.body(null, 429, { 'Retry-After': String(wait) });
    limit.count(id);
    const ticket = await findTicket(id);
    if (!ticket) return context.body(null, 404);
    await team('POST', `/tickets/${ticket.id}/csat`, { score, ...(comment && { comment }) });
    return context.body(null, 204);
  });
};
