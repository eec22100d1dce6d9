/** Calls the team's API of the service with the secret key of the session. */

const { baseUrl } = (await (await fetch('config.json')).json()) as { baseUrl: string };
const teamUrl = new URL('/team', baseUrl).href;

export const session = { key: sessionStorage.getItem('team-key') ?? '' };

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
    headers: {
      authorization: `Bearer ${session.key}`,
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
  });
  const text = await response.text();
  const result = (text === '' ? {} : JSON.parse(text)) as Result & ErrorBody;
  if (response.ok) return result;
  const { message = response.statusText, details } = result.error ?? {};
  const more = Array.isArray(details) ? details.map(({ field, message: why }) => ` ${field}: ${why}`).join('') : '';
  throw new TeamApiError(response.status, message + more);
};
