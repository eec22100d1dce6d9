/** Asks the workspace's API with the secret key, which never leaves this server. */

export interface WorkspaceOptions {
  /** With the version prefix. */
  baseUrl: string;
  /** `svc_sk_…` with `conversations:read`, `tickets:read` and `webhooks:write`. */
  secretKey: string;
  agentId: string;
}

export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, what: string) {
    super(what);
    this.name = 'RefusedError';
    this.status = status;
  }
}

export type Api = <Answer>(method: string, path: string, body?: object) => Promise<Answer>;

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
