/** Names the mistake in an installation that made a message fail. Loaded with the first failure. */
import type { Problem } from './state/state.ts';

const keyCodes = [
  'invalid_key',
  'expired_key',
  'key_maker_left',
  'maker_role_limit',
  'insufficient_scope',
  'plan_required',
] as const;

export type FailureReason =
  | (typeof keyCodes)[number]
  | 'agent_paused'
  | 'agent_unknown'
  | 'prefix_missing'
  | 'redirected'
  | 'service_failing'
  | 'wrong_address'
  /** No response arrived, or the page could not read it. */
  | 'no_response'
  /** Another rejection, named by its code. */
  | 'rejected';

/** Returns null for a failure that no change of the installation can prevent. */
export const failureReason = ({ code, status }: Problem, baseUrl: string): FailureReason | null => {
  const keyCode = keyCodes.find((each) => each === code);
  if (keyCode) return keyCode;
  if (code === 'network') return 'no_response';
  if (code === 'agent_unavailable') return 'agent_paused';
  // The service responds to an unknown agent and to an unknown path in the same way.
  if (code === 'not_found') return /\/v\d+$/.test(baseUrl) ? 'agent_unknown' : 'prefix_missing';
  // Browsers hide the status of a redirect that is not followed.
  if (code === 'unexpected_response' && status === 0) return 'redirected';
  if (status >= 500) return 'service_failing';
  if (code === 'unexpected_response') return 'wrong_address';
  return status < 400 || status === 429 ? null : 'rejected';
};
