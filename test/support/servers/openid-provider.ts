/** A real OpenID provider on this machine, and a browser that signs in there. */
import { Provider, type Configuration } from 'oidc-provider';
import type { SignInSettings } from '../../../service/sign-in/settings.ts';
import { listen } from './listen.ts';

export interface Account {
  email: string;
  email_verified?: boolean;
  name?: string;
  roles?: string | string[];
}

const client = { id: 'team-page', secret: 'a secret of the client' };

/** @param accounts The persons by the name with which they sign in. */
export const startOpenIdProvider = async (redirectUrl: string, accounts: Record<string, Account>) => {
  const configuration: Configuration = {
    clients: [
      { client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUrl], response_types: ['code'] },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'roles'] },
    cookies: { keys: ['a key of the cookies'] },
    pkce: { required: () => true },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...accounts[id]! }) }),
  };
  // The provider needs its own address, which the port decides.
  const { url: issuer, close } = await listen((request, response) => handle(request, response));
  const handle = new Provider(issuer, configuration).callback();
  return {
    /** The settings of a service whose members sign in here. */
    settings: (teamUrl: string): SignInSettings => ({
      issuer,
      clientId: client.id,
      clientSecret: client.secret,
      redirectUrl,
      roleClaim: 'roles',
      scope: 'openid email profile',
      teamUrl,
    }),
    close,
  };
};

/** Keeps the cookies of several hosts, as a browser does. */
export class Browser {
  readonly #cookies = new Map<string, { value: string; path: string }>();
  readonly #origin: string;
  readonly #service: (request: Request) => Response | Promise<Response>;

  /** @param service Responds to the requests to `origin`. Others go to the network. */
  constructor(origin: string, service: (request: Request) => Response | Promise<Response>) {
    this.#origin = origin;
    this.#service = service;
  }

  /** The value of a cookie. */
  cookie(name: string): string | undefined {
    return this.#cookies.get(name)?.value;
  }

  /** The names of the cookies that begin with a text. */
  cookieNames(prefix: string): string[] {
    return [...this.#cookies.keys()].filter((name) => name.startsWith(prefix));
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, { value, path: '/' });
  }

  async request(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const { pathname } = new URL(url);
    const sent = [...this.#cookies].filter(([, { path }]) => `${pathname}/`.startsWith(path.replace(/\/?$/, '/')));
    headers.set('cookie', sent.map(([name, { value }]) => `${name}=${value}`).join('; '));
    const request = new Request(url, { ...init, headers, redirect: 'manual' });
    const response = await (request.url.startsWith(this.#origin) ? this.#service(request) : fetch(request));
    for (const text of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = text.split('; ');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (value === '' || attributes.some((each) => /^(max-age=0|expires=thu, 01 jan 1970)/i.test(each))) {
        this.#cookies.delete(name);
        continue;
      }
      const path = attributes.find((each) => /^path=/i.test(each))?.slice('path='.length) ?? pathname;
      this.#cookies.set(name, { value, path });
    }
    return response;
  }

  /**
   * Follows redirects from `url`, signs in as `account` where the provider asks, and agrees. Stops before an address that
   * begins with `end`, and returns it.
   */
  async signIn(url: string | URL, account: string, end: string): Promise<URL> {
    let next = new URL(url);
    for (let step = 0; step < 20; step++) {
      if (next.href.startsWith(end)) return next;
      const response = await this.request(next);
      const location = response.headers.get('location');
      next = new URL(location ?? (await this.#answer(next, await response.text(), account)), next);
    }
    throw new Error('The sign-in has no end.');
  }

  /** Fills in the page of the provider. Returns where it leads. */
  async #answer(page: URL, html: string, account: string): Promise<string> {
    const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1];
    const action = /action="([^"]+)"/.exec(html)?.[1];
    if (!prompt || !action) throw new Error(`The page has no form: ${page.href}`);
    const body = new URLSearchParams({ prompt, login: account, password: 'any' });
    const response = await this.request(new URL(action, page), { method: 'POST', body });
    return response.headers.get('location')!;
  }
}
