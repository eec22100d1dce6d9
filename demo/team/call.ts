/** Calls the team's API of the service, with a secret key or with the cookie of a member who has signed in. */

export const { baseUrl } = (await (await fetch('config.json')).json()) as { baseUrl: string };
const teamUrl = new URL('../team', baseUrl).href;

/** The timeout of a call, in milliseconds. */
const timeout = 30_000;

export const session = { key: sessionStorage.getItem('team-key') ?? '' };

/** Where members sign in with the provider of the service. */
export const signInUrl = `${teamUrl}/sign-in`;

export interface SignedIn {
  member: { name: string; role: string; email: string } | null;
  can_sign_in: boolean;
}

/** Returns who has signed in. The service accepts the cookie only where members sign in with a provider. */
export const readSession = async (): Promise<SignedIn> => {
  const read = async (credentials: RequestCredentials) =>
    (await (await fetch(`${teamUrl}/session`, { credentials })).json()) as SignedIn;
  const session = await read('omit');
  return session.can_sign_in ? read('include') : session;
};

/** An error response of the service, with its message. */
export class TeamApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'TeamApiError';
    this.status = status;
  }
}

interface ErrorBody {
  error?: { message: string; details?: string | { field: string; message: string }[] };
}

export const call = async <Result>(method: string, path: string, body?: object): Promise<Result> => {
  const response = await fetch(`${teamUrl}${path}`, {
    method,
    credentials: session.key ? 'omit' : 'include',
    headers: {
      ...(session.key && { authorization: `Bearer ${session.key}` }),
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
    signal: AbortSignal.timeout(timeout),
  });
  const text = await response.text();
  const result = (text === '' ? {} : JSON.parse(text)) as Result & ErrorBody;
  if (response.ok) return result;
  const { message = response.statusText, details } = result.error ?? {};
  const more = Array.isArray(details) ? details.map(({ field, message: why }) => ` ${field}: ${why}`).join('') : '';
  throw new TeamApiError(response.status, message + more);
};
