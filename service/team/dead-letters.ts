/** Shows the deliveries of the workspace that have failed for good, and where to replay each of them. */
import { and, eq } from 'drizzle-orm';
import { deliveries, events, webhookEndpoints } from '../db/schema.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { byCreation, newestFirst, page, pageQuery } from '../http/pages.ts';
import type { TeamApp } from './environment.ts';
import { parseQuery } from './parse-body.ts';

interface DeadLetter {
  delivery: typeof deliveries.$inferSelect;
  event: typeof events.$inferSelect;
  endpoint: typeof webhookEndpoints.$inferSelect;
}

export const deadLetterRoutes = (app: TeamApp, { db }: Dependencies): void => {
  app.get('/dead-letters', async (context) => {
    const { limit, cursor } = parseQuery(context, pageQuery);
    const { after, order } = newestFirst(deliveries.createdAt, deliveries.id, cursor);
    const found = await db
      .select({ delivery: deliveries, event: events, endpoint: webhookEndpoints })
      .from(deliveries)
      .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, deliveries.endpointId))
      .innerJoin(events, eq(events.id, deliveries.eventId))
      .where(
        and(eq(webhookEndpoints.workspaceId, context.var.caller.workspaceId), eq(deliveries.status, 'failed'), after),
      )
      .orderBy(...order)
      .limit(limit + 1);
    return context.json(page(found, limit, serializeDeadLetter, ({ delivery }) => byCreation(delivery)));
  });
};

const serializeDeadLetter = ({ delivery, event, endpoint }: DeadLetter) => {
  return {
    id: delivery.id,
    event: { id: event.id, type: event.type, created_at: event.createdAt },
    endpoint: { id: endpoint.id, url: endpoint.url, enabled: endpoint.enabled },
    attempts: delivery.attempts,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    /** Null for a delivery that failed before the service stored this time. */
    failed_at: delivery.lastAttemptAt,
    /** A POST to this path delivers the event again, with all retries. */
    replay_path: `/team/webhooks/${endpoint.id}/deliveries/${delivery.id}/replay`,
  };
};
