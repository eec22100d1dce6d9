/** Webhook deliveries: a queue for each endpoint, so that none waits for another that does not respond. */
import { keepLease, leaseEnd, type LeaseContext } from '../db/lease.ts';
import type { WorkQueue } from '../jobs/runner.ts';
import {
  claimDeliveries,
  findWaitingEndpoints,
  releaseExpiredDeliveries,
  renewDelivery,
  type Delivery,
} from './claim-deliveries.ts';
import { deliver, type DeliveryContext } from './deliver.ts';

/** Milliseconds between two searches for expired leases. */
const releaseIntervalMs = 1000;
/** Deliveries in flight of a process, whose sockets and memory are limited. Hundreds of endpoints use fewer. */
const maxInFlightOfProcess = 1000;

export const createDeliveryQueue = (
  context: DeliveryContext & LeaseContext,
  maxInFlight = maxInFlightOfProcess,
): WorkQueue => {
  const { db, now } = context;
  let nextRelease = 0;
  let inFlight = 0;

  const run = async (delivery: Delivery): Promise<void> => {
    const stopRenewing = keepLease(now, (until) => renewDelivery(db, delivery, until));
    try {
      await deliver(context, delivery);
    } finally {
      stopRenewing();
      inFlight--;
    }
  };

  return {
    async claim() {
      if (inFlight >= maxInFlight) return [];
      const at = new Date(now());
      // The time may also be moved back.
      if (now() >= nextRelease || now() < nextRelease - releaseIntervalMs) {
        await releaseExpiredDeliveries(db, at);
        nextRelease = now() + releaseIntervalMs;
      }
      const waiting = await findWaitingEndpoints(db, at);
      if (waiting.length === 0) return [];
      // A holder for each claim, so that an attempt whose lease has ended cannot record its result.
      const lease = { holder: context.newHolder(), at, until: leaseEnd(now) };
      const claimed = await db.transaction(async (tx) => {
        const ofAll: Delivery[] = [];
        for (const endpointId of waiting) {
          const room = maxInFlight - inFlight - ofAll.length;
          if (room === 0) break;
          ofAll.push(...(await claimDeliveries(tx, endpointId, room, lease)));
        }
        return ofAll;
      });
      inFlight += claimed.length;
      return claimed.map((delivery) => () => run(delivery));
    },
  };
};
