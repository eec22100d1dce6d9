/** Asks the service the few things that an install can be judged by, and none that costs a conversation. */

/** What came of a request; `code` is the contract's, null when the answer is not in its envelope. */
export type Answer =
  | { type: 'answered'; status: number; code: string | null }
  | { type: 'redirected' }
  /** No answer that this page may read. */
  | { type: 'failed' };

export interface Target {
  baseUrl: string;
  publishableKey: string;
  agentId: string;
  fetch: typeof fetch;
  /** Milliseconds until a request is given up. */
  patience: number;
}

const codeOf = async (response: Response): Promise<string | null> => {
  try {
    const { error } = (await response.json()) as { error?: { code?: unknown } };
    return typeof error?.code === 'string' ? error.code : null;
  } catch {
    return null;
  }
};

const ask = async (target: Target, path: string, body?: object, patience = target.patience): Promise<Answer> => {
  try {
    const response = await target.fetch(`${target.baseUrl}${path}`, {
      headers: {
        authorization: `Bearer ${target.publishableKey}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
    });
    if (response.type === 'opaqueredirect') return { type: 'redirected' };
    return { type: 'answered', status: response.status, code: await codeOf(response) };
  } catch {
    return { type: 'failed' };
  }
};

const chat = (target: Target, body: object, patience?: number) =>
  ask(target, `/agents/${encodeURIComponent(target.agentId)}/chat`, body, patience);

/** A good publishable key is refused with `secret_key_required`: this is for secret ones. */
export const askMe = (target: Target): Promise<Answer> => ask(target, '/me');

/** A message is missing: past key, scope and origin, the body is refused. */
export const askWithoutMessage = (target: Target): Promise<Answer> => chat(target, { messages: [] });

/** Continues a conversation that there is not. The agent is looked up first; nothing is begun. */
export const askToContinue = (target: Target): Promise<Answer> =>
  chat(target, { messages: [{ role: 'user', content: 'Hello' }], conversation_id: 'cnv_none' });

/** A real question, which begins a conversation and counts as one. */
export const askAQuestion = (target: Target, locale: 'en' | 'ar'): Promise<Answer> =>
  chat(target, { messages: [{ role: 'user', content: locale === 'ar' ? 'مرحبًا' : 'Hello' }], locale }, 60_000);

/** Whether anything answers there at all, be it unreadable. */
export const isReached = async ({ fetch, baseUrl, patience }: Target): Promise<boolean> => {
  try {
    await fetch(`${baseUrl}/me`, {
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(patience),
    });
    return true;
  } catch {
    return false;
  }
};
