/** The error of a check whose precondition an implementation of the API does not have. */

export type Need =
  | 'a test clock'
  | 'a prepared database (other workspaces, full months, faults)'
  | 'the dashboard side (/team)'
  | 'other keys (fewer scopes, some agents)'
  | 'a second agent'
  | 'a paused agent (--paused-agent)'
  | 'a publishable key (--publishable-key)'
  | 'the identity secret of the agent (--identity-secret)'
  | 'the id of a member'
  | 'calls left in this hour'
  | 'a receiver that the service can reach (--receiver-url)'
  | `the action ${string} of the demo`;

/** Thrown by the helpers of the checks. No statement is about what is missing. */
export class MissingError extends Error {
  readonly need: Need;

  constructor(need: Need) {
    super(`The check needs ${need}.`);
    this.name = 'MissingError';
    this.need = need;
  }
}
