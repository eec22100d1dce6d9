/** Stores a visitor's rating of a conversation in its ticket, by an operation of the team side. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { Api } from './api.ts';
import type { Bindings } from './bindings.ts';
import { SendLimit } from './send-limit.ts';

interface RatingOptions {
  api: Api;
  /** Calls the team side. */
  team: Api;
  agentId: string;
  bindings: Bindings;
  now: () => number;
}

const request = z.object({
  conversation_id: z.string().regex(/^[\w-]{1,100}$/),
  rating: z.union([z.literal(1), z.literal(-1)]),
  comment: z.string().max(1000).default(''),
});

interface Ticket {
  id: string;
  conversation_id: string | null;
}

export const ratingRoutes = ({ api, team, agentId, bindings, now }: RatingOptions): Hono => {
  const limit = new SendLimit(10, now);

  /** Returns the newest ticket of a conversation, or null. */
  const findTicket = async (id: string): Promise<Ticket | null> => {
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = `agent_id=${encodeURIComponent(agentId)}&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const page: { data: Ticket[]; next_cursor: string | null } = await api('GET', `/tickets?${query}`);
      const ticket = page.data.find((each) => each.conversation_id === id);
      if (ticket) return ticket;
      cursor = page.next_cursor;
    }
    return null;
  };

  return new Hono().post('/rating', async (context) => {
    const parsed = request.safeParse(await context.req.json().catch(() => null));
    if (!parsed.success) return context.body(null, 400);
    const { conversation_id: id, rating: score, comment } = parsed.data;
    // The page knows no proof. An id cannot be guessed, and must be one whose page has connected to the relay.
    if (!bindings.has(id)) return context.body(null, 404);
    const wait = limit.take(id);
    if (wait > 0) return context.body(null, 429, { 'Retry-After': String(wait) });
    const ticket = await findTicket(id);
    if (!ticket) return context.body(null, 404);
    await team('POST', `/tickets/${ticket.id}/csat`, { score, ...(comment && { comment }) });
    return context.body(null, 204);
  });
};
