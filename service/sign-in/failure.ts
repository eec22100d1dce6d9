/** Why a sign-in has failed, for the log: what the provider and the library say, without a token, a code or an e-mail address. */

/** The provider names no address, or one that it does not call verified. */
export class UnprovenAddressError extends Error {
  readonly error = 'no_verified_email';

  constructor() {
    super('The provider names no verified e-mail address.');
    this.name = 'UnprovenAddressError';
  }
}

export interface SignInFailure {
  /** The person has gone back, or the provider does not admit them: nothing that the operator has to repair. */
  isRefusal: boolean;
  reason: string;
  description?: string;
}

/** Errors of OAuth and OpenID that are about the person. */
const refusals = [
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'login_required',
  'no_verified_email',
];

interface Said {
  error?: unknown;
  error_description?: unknown;
}

const maxLength = 300;
const maxCauses = 5;

/** The text comes from the provider, or through the browser. */
const printable = (text: string): string =>
  text
    .replaceAll(/[^\x20-\x7E]+/g, ' ')
    .replaceAll(/\S+@\S+/g, '…')
    // Codes and tokens are longer than the ids by which a provider finds its own log entry.
    .replaceAll(/[\w.~+/=-]{40,}/g, '…')
    .slice(0, maxLength);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns the error and its causes. */
const chainOf = (error: unknown): object[] => {
  const chain: object[] = [];
  for (let next = error; isObject(next) && chain.length < maxCauses; next = 'cause' in next ? next.cause : undefined) {
    chain.push(next);
  }
  return chain;
};

/** What an error has from the provider: its members, or the parameters of a challenge (`WWW-Authenticate`). */
const saidIn = (error: object): Said[] => {
  const challenges = Array.isArray(error) ? (error as { parameters?: Said }[]) : [];
  return [error, ...challenges.map(({ parameters }) => parameters ?? {})];
};

export const describeFailure = (error: unknown): SignInFailure => {
  const chain = chainOf(error);
  const said = chain.flatMap(saidIn).find((each) => typeof each.error === 'string' && each.error !== '');
  if (said) {
    const { error: reason, error_description: text } = said as { error: string; error_description?: unknown };
    const description = typeof text === 'string' ? { description: printable(text) } : {};
    return { isRefusal: refusals.includes(reason), reason: printable(reason), ...description };
  }
  const codes = chain.flatMap((each) => ('code' in each && typeof each.code === 'string' ? [each.code] : []));
  // The messages of the library quote no values.
  const texts = chain.flatMap((each) =>
    each instanceof Error && 'code' in each && String(each.code).startsWith('OAUTH_') ? [each.message] : [],
  );
  // A response of fetch. The server of Node.js replaces the global class, so that it has not always the same one.
  const statuses = chain.flatMap((each) =>
    'status' in each && typeof each.status === 'number' ? [`status ${each.status}`] : [],
  );
  const description = [...new Set([...texts, ...statuses])].join(': ');
  return { isRefusal: false, reason: codes[0] ?? 'unknown', ...(description === '' ? {} : { description }) };
};
