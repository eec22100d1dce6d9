/** Sends the requests that can judge an installation without starting a conversation. */

/** The result of a request. `code` is the contract's error code, or null outside of its envelope. */
export type ProbeResult =
  | { type: 'response'; status: number; code: string | null }
  | { type: 'redirected' }
  /** The page could not read a response. */
  | { type: 'failed' };

export interface Target {
  baseUrl: string;
  publishableKey: string;
  agentId: string;
  fetch: typeof fetch;
  /** The timeout of a request in milliseconds. */
  timeout: number;
}

const codeOf = async (response: Response): Promise<string | null> => {
  try {
    const { error } = (await response.json()) as { error?: { code?: unknown } };
    return typeof error?.code === 'string' ? error.code : null;
  } catch {
    return null;
  }
};

const probe = async (target: Target, path: string, json?: string, timeout = target.timeout): Promise<ProbeResult> => {
  try {
    const response = await target.fetch(`${target.baseUrl}${path}`, {
      headers: {
        authorization: `Bearer ${target.publishableKey}`,
        ...(json && { 'content-type': 'application/json' }),
      },
      ...(json && { method: 'POST', body: json }),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
    if (response.type === 'opaqueredirect') return { type: 'redirected' };
    return { type: 'response', status: response.status, code: await codeOf(response) };
  } catch {
    return { type: 'failed' };
  }
};

const chat = (target: Target, json: string, timeout?: number) =>
  probe(target, `/agents/${encodeURIComponent(target.agentId)}/chat`, json, timeout);

/** Written as text: libraries such as Prototype.js change how `JSON.stringify` serializes an array. */
const helloJson = (member: string, content = 'Hello') =>
  `{"messages":[{"role":"user","content":"${content}"}],${member}}`;

/** Requests an operation for secret keys: a valid publishable key gets `secret_key_required`. */
export const probeAccount = (target: Target): Promise<ProbeResult> => probe(target, '/me');

/** Sends a body without a message: it is rejected only after the key, the scope and the origin were accepted. */
export const probeEmptyMessage = (target: Target): Promise<ProbeResult> => chat(target, '{"messages":[]}');

/** Continues a conversation that does not exist. The agent is checked first, and no conversation starts. */
export const probeConversation = (target: Target): Promise<ProbeResult> =>
  chat(target, helloJson('"conversation_id":"cnv_none"'));

/** Sends a real question, which starts a conversation. */
export const probeQuestion = (target: Target, locale: 'en' | 'ar'): Promise<ProbeResult> =>
  chat(target, helloJson(`"locale":"${locale}"`, locale === 'ar' ? 'مرحبًا' : 'Hello'), 60_000);
