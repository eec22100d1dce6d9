/** A call that a client may repeat under the same Idempotency-Key. */
import type { Db } from './database.ts';

/** Saves the response in the transaction of the call's effect, so that both are stored or neither is. */
export type SaveResponse<Body> = (tx: Db, response: Body) => Promise<Body>;

export interface RepeatableCall<Body> {
  /** The same for every process that runs the call. Ids derived from it are the same in a second attempt. */
  idSeed: string | undefined;
  /** Called once. */
  saveResponse(tx: Db, response: Body): ReturnType<SaveResponse<Body>>;
}

/** A call without an Idempotency-Key. */
export const unrepeatableCall: RepeatableCall<never> = {
  idSeed: undefined,
  saveResponse: async (_, response) => response,
};
