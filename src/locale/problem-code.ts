/** Finds the sentence for a problem. */
import type { ProblemCode } from './strings.ts';

/** Which sentence tells a problem of this code and HTTP status. */
export const problemCode = (code: string, status: number): ProblemCode | null => {
  switch (code) {
    case 'network':
    case 'unexpected_answer':
    case 'interrupted':
    case 'timeout':
    case 'answer_too_large':
    case 'agent_unavailable':
    case 'not_found':
    case 'rate_limited':
    case 'identity_rejected':
    case 'internal_error':
      return code;
    case 'identity_unavailable':
      return 'unavailable';
    case 'validation_error':
      return 'message_refused';
    default:
      if (status === 401 || status === 402 || status === 403) return 'not_authorised';
      if (status === 413) return 'too_large';
      if (status === 422) return 'message_refused';
      if (status === 429) return 'rate_limited';
      if (status === 503) return 'unavailable';
      return null;
  }
};
