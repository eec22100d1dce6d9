/** Finds the sentence for a problem. */
import type { Problem } from '../chat/state/state.ts';
import type { ProblemCode, Strings } from './strings.ts';

/** Codes that are told by another one's sentence. */
const told: Record<string, ProblemCode> = {
  identity_unavailable: 'unavailable',
  validation_error: 'message_refused',
};

/** By HTTP status, for codes that nobody knows. */
const byStatus: Record<number, ProblemCode> = {
  401: 'not_authorised',
  402: 'not_authorised',
  403: 'not_authorised',
  413: 'too_large',
  422: 'message_refused',
  429: 'rate_limited',
  503: 'unavailable',
};

/** Our own sentence, where there is one; else the service's. */
export const problemText = ({ code, status, detail }: Problem, { problems }: Strings): string => {
  if (Object.hasOwn(problems, code)) return problems[code as ProblemCode];
  const known = Object.hasOwn(told, code) ? told[code] : byStatus[status];
  return known ? problems[known] : detail || problems.unknown;
};
