/** The queue of webhook deliveries: one lane for each endpoint, within the limit of the process. */
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
import { allocateSlots, maxDeliveries, type WaitingEndpoint } from './delivery-slots.ts';

/** Milliseconds between two searches for expired leases. */
const releaseIntervalMs = 1000;

export const createDeliveryQueue = (context: DeliveryContext & LeaseContext): WorkQueue => {
  const { db, now } = context;
  const inFlight = new Map<string, WaitingEndpoint>();
  let nextRelease = 0;

  const run = async (delivery: Delivery): Promise<void> => {
    const stopRenewing = keepLease(now, (until) => renewDelivery(db, delivery, until));
    try {
      await deliver(context, delivery);
    } finally {
      stopRenewing();
      inFlight.delete(keyOf(delivery));
    }
  };

  return {
    async claim() {
      if (inFlight.size >= maxDeliveries) return [];
      const at = new Date(now());
      // The time may also be moved back.
      if (now() >= nextRelease || now() < nextRelease - releaseIntervalMs) {
        await releaseExpiredDeliveries(db, at);
        nextRelease = now() + releaseIntervalMs;
      }
      const waiting = await findWaitingEndpoints(db, at);
      const granted = allocateSlots(waiting, count([...inFlight.values()]));
      // A holder for each claim, so that an attempt whose lease has ended cannot record its result.
      const claimed = await claimDeliveries(db, granted, { holder: context.newHolder(), at, until: leaseEnd(now) });
      const byId = new Map(waiting.map((endpoint) => [endpoint.id, endpoint]));
      for (const delivery of claimed) inFlight.set(keyOf(delivery), byId.get(delivery.endpointId)!);
      return claimed.map((delivery) => () => run(delivery));
    },
  };
};

/** The same delivery may be in flight twice, when its lease has ended. */
const keyOf = ({ id, attempts }: Delivery): string => `${id}_${attempts}`;

const count = (endpoints: WaitingEndpoint[]) => {
  const byWorkspace = new Map<string, number>();
  for (const { workspaceId } of endpoints) byWorkspace.set(workspaceId, (byWorkspace.get(workspaceId) ?? 0) + 1);
  return {
    total: endpoints.length,
    toFailing: endpoints.filter(({ isFailing }) => isFailing).length,
    byWorkspace,
  };
};
