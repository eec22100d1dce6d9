/** Calls the workspace's API with the secret key, which never leaves this server. */

export interface WorkspaceOptions {
  /** Includes the version prefix. */
  baseUrl: string;
  /** `svc_sk_…`, with the scopes `conversations:read`, `tickets:read` and `webhooks:write`. */
  secretKey: string;
  agentId: string;
}

/** An error response of the workspace's API. */
export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'RefusedError';
    this.status = status;
  }
}

export type Api = <Result>(method: string, path: string, body?: object) => Promise<Result>;

interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
}

/** Reads all pages of a list. */
export async function* listed<Item>(api: Api, path: string, query: Record<string, string> = {}): AsyncGenerator<Item> {
  for (let cursor: string | null = ''; cursor !== null;) {
    const parameters = new URLSearchParams({ limit: '100', ...query, ...(cursor && { cursor }) });
    const page: Page<Item> = await api('GET', `${path}?${parameters.toString()}`);
    yield* page.data;
    cursor = page.next_cursor;
  }
}

export const workspaceApi =
  ({ baseUrl, secretKey }: WorkspaceOptions): Api =>
  async (method, path, body) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${secretKey}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    if (!response.ok) throw new RefusedError(response.status, `${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
