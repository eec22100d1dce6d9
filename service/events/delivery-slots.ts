/** Decides how many deliveries of each endpoint start, so that endpoints that do not respond leave slots for the others. */

/** An endpoint with deliveries that are due. */
export interface WaitingEndpoint {
  id: string;
  workspaceId: string;
  /** Whether the last attempt failed. */
  isFailing: boolean;
  /** Deliveries in flight, in all processes. */
  inFlight: number;
  /** Deliveries that are due. Numbers above `maxPerEndpoint` make no difference. */
  due: number;
}

/** The deliveries in flight of this process. */
export interface DeliveriesInFlight {
  total: number;
  toFailing: number;
  byWorkspace: ReadonlyMap<string, number>;
}

/** Deliveries in flight of a process. */
export const maxDeliveries = 64;
/** Those among them to endpoints whose last attempt failed. */
export const maxToFailing = 24;
/** Deliveries in flight of an endpoint, and of one whose last attempt failed, in all processes. */
export const maxPerEndpoint = 8;
export const maxPerFailingEndpoint = 1;
/**
 * An endpoint has at most this part of the free slots in flight. So endpoints that stop responding together, before their
 * first failure is known, do not take all slots.
 */
const partOfFreeSlots = 1 / 4;

/**
 * Returns the number of deliveries to start for each endpoint. Healthy endpoints come before failing ones, then endpoints
 * and workspaces with few deliveries in flight. `endpoints` are in the order in which their deliveries became due.
 */
export const allocateSlots = (endpoints: WaitingEndpoint[], inFlight: DeliveriesInFlight): Map<string, number> => {
  const granted = new Map<string, number>();
  const byWorkspace = new Map(inFlight.byWorkspace);
  let free = maxDeliveries - inFlight.total;
  let freeForFailing = maxToFailing - inFlight.toFailing;

  const taken = (endpoint: WaitingEndpoint) => endpoint.inFlight + (granted.get(endpoint.id) ?? 0);
  const limit = ({ isFailing }: WaitingEndpoint): number => {
    if (isFailing) return freeForFailing > 0 ? maxPerFailingEndpoint : 0;
    return Math.max(1, Math.min(maxPerEndpoint, Math.floor(free * partOfFreeSlots)));
  };
  const canStart = (endpoint: WaitingEndpoint): boolean =>
    (granted.get(endpoint.id) ?? 0) < endpoint.due && taken(endpoint) < limit(endpoint);
  const precedes = (a: WaitingEndpoint, b: WaitingEndpoint): boolean => {
    if (a.isFailing !== b.isFailing) return b.isFailing;
    if (taken(a) !== taken(b)) return taken(a) < taken(b);
    return (byWorkspace.get(a.workspaceId) ?? 0) < (byWorkspace.get(b.workspaceId) ?? 0);
  };

  while (free > 0) {
    let next: WaitingEndpoint | undefined;
    for (const endpoint of endpoints) {
      if (canStart(endpoint) && (next === undefined || precedes(endpoint, next))) next = endpoint;
    }
    if (!next) break;
    granted.set(next.id, (granted.get(next.id) ?? 0) + 1);
    byWorkspace.set(next.workspaceId, (byWorkspace.get(next.workspaceId) ?? 0) + 1);
    free--;
    if (next.isFailing) freeForFailing--;
  }
  return granted;
};
