/** Asks the service what only the team may ask, with the key they signed in with. */

const { baseUrl } = (await (await fetch('config.json')).json()) as { baseUrl: string };
const teamUrl = new URL('/team', baseUrl).href;

export const session = { key: sessionStorage.getItem('team-key') ?? '' };

/** A refusal, in the service's own words. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}

interface ErrorAnswer {
  error?: { message: string; details?: string | { field: string; message: string }[] };
}

export const call = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
  const response = await fetch(`${teamUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${session.key}`,
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
  });
  const text = await response.text();
  const answer = (text === '' ? {} : JSON.parse(text)) as Answer & ErrorAnswer;
  if (response.ok) return answer;
  const { message = response.statusText, details } = answer.error ?? {};
  const more = Array.isArray(details) ? details.map(({ field, message: why }) => ` ${field}: ${why}`).join('') : '';
  throw new Refusal(response.status, message + more);
};
