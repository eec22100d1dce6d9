/** Mistakes in an installation, and what the console and the doctor say about each. */
import type { RequestListener } from 'node:http';
import type { TestService } from '../support/fixtures.ts';
import { freePort } from '../support/servers/listen.ts';

export type Settings = TestService['settings'];

/** What a case can prepare with. */
export interface Tools {
  service: TestService;
  /** Creates a publishable key in the dashboard. */
  createKey(options?: Record<string, unknown>): Promise<{ id: string; key: string }>;
  revokeKey(id: string): Promise<void>;
  /** Starts a server that handles every request in one way, and returns its URL. */
  listen(handle: RequestListener): Promise<string>;
}

export interface WrongInstallation {
  name: string;
  settings?: (tools: Tools) => Partial<Settings> | Promise<Partial<Settings>>;
  /** The page's Content-Security-Policy, given the URL of the service. */
  policy?: (service: string) => string;
  /** The page's origin. A name below `.example` is this machine. */
  origin?: 'http://shop.example' | 'https://shop.example';
  /** The check, and the code of its finding. */
  finding: [check: string, code: string];
  /** What the console says when the tag itself finds the mistake and loads nothing. Otherwise it has the words of the doctor. */
  line?: string;
  /** What the doctor says. */
  en: RegExp;
  ar: RegExp;
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key',
};

const key = (publishableKey: string) => () => ({ publishableKey });
const agent = (agentId: string) => () => ({ agentId });
const address = (baseUrl: string) => () => ({ baseUrl });

const inSettings = (code: string): [string, string] => ['settings', code];
const website = {
  finding: ['service', 'wrong_address'] as [string, string],
  en: /responds \(HTTP \d+\), but it is not the service/,
  ar: /لكنه ليس الخدمة، ولعله موقع ويب/,
};

export const wrongInstallations: WrongInstallation[] = [
  {
    name: 'no key',
    line: 'workspace-chat: the script tag lacks data-publishable-key. Nothing is loaded or sent.',
    settings: key(''),
    finding: inSettings('key_missing'),
    en: /The key is missing.*Set “publishable-key”/,
    ar: /المفتاح غير محدَّد/,
  },
  {
    name: 'no agent',
    line: 'workspace-chat: the script tag lacks data-agent-id. Nothing is loaded or sent.',
    settings: agent(''),
    finding: inSettings('agent_missing'),
    en: /The agent is missing.*Set “agent-id”/,
    ar: /المساعد غير محدَّد/,
  },
  {
    name: 'no base URL',
    line: 'workspace-chat: the script tag lacks data-base-url. Nothing is loaded or sent.',
    settings: address(''),
    finding: inSettings('base_url_missing'),
    en: /URL is missing.*Set “base-url”/,
    ar: /عنوان الخدمة غير محدَّد/,
  },
  {
    name: 'the key of the docs',
    settings: key('svc_pk_…'),
    finding: inSettings('key_example'),
    en: /example key from the docs.*Put your own key here/,
    ar: /المفتاح الوارد مثالًا.*كتابة مفتاحك هنا/,
  },
  {
    name: 'a key in quotes',
    settings: ({ service }) => ({ publishableKey: `'${service.settings.publishableKey}'` }),
    finding: inSettings('key_quoted'),
    en: /The key has quotation marks around it\..*Remove the quotation marks/,
    ar: /تحيط بالمفتاح علامات اقتباس.*حذف علامات الاقتباس/,
  },
  {
    name: 'a secret key in quotes',
    settings: ({ service }) => ({ publishableKey: `'${service.demo.secretKey}'` }),
    finding: inSettings('key_secret'),
    en: /This is a secret key.*Revoke it now/,
    ar: /هذا مفتاح سري.*إلغاؤه الآن/,
  },
  {
    name: 'the website key of an agent',
    settings: key('pk_palm_and_clay'),
    finding: inSettings('key_website'),
    en: /agent’s website key/,
    ar: /مفتاح موقع خاص بمساعد/,
  },
  {
    name: 'something else for a key',
    settings: key('sk-123'),
    finding: inSettings('key_unknown'),
    en: /not a publishable key/,
    ar: /ليس مفتاحًا عامًا/,
  },
  {
    name: 'an unknown key',
    settings: key('svc_pk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),
    finding: ['key', 'invalid_key'],
    en: /does not know this key, or it was revoked/,
    ar: /لا تعرف الخدمة هذا المفتاح، أو أنه أُلغي/,
  },
  {
    name: 'a revoked key',
    settings: async ({ createKey, revokeKey }) => {
      const { id, key: publishableKey } = await createKey();
      await revokeKey(id);
      return { publishableKey };
    },
    finding: ['key', 'invalid_key'],
    en: /does not know this key, or it was revoked/,
    ar: /لا تعرف الخدمة هذا المفتاح، أو أنه أُلغي/,
  },
  {
    name: 'an expired key',
    settings: async ({ createKey }) => ({
      publishableKey: (await createKey({ expires_at: '2020-01-01T00:00:00Z' })).key,
    }),
    finding: ['key', 'expired_key'],
    en: /The key has expired/,
    ar: /انتهت صلاحية المفتاح/,
  },
  {
    name: 'a key without the scope “chat”',
    settings: async ({ createKey }) => ({ publishableKey: (await createKey({ scopes: [] })).key }),
    finding: ['key', 'insufficient_scope'],
    en: /lacks the scope “chat”/,
    ar: /ينقصه النطاق/,
  },
  {
    name: 'a key of another agent',
    settings: async ({ createKey, service }) => ({
      publishableKey: (await createKey({ agent_ids: [service.demo.pausedAgentId] })).key,
    }),
    finding: ['agent', 'agent_unknown'],
    en: /has no agent agt_\w+, or the key has no access to it/,
    ar: /أو أن المفتاح لا يصل إليه/,
  },
  {
    name: 'the agent of the docs',
    settings: agent('agt_…'),
    finding: inSettings('agent_example'),
    en: /example agent from the docs/,
    ar: /المساعد الوارد مثالًا/,
  },
  {
    name: 'an unknown agent',
    settings: agent('agt_nobody'),
    finding: ['agent', 'agent_unknown'],
    en: /has no agent agt_nobody/,
    ar: /لا مساعد بالمعرّف .agt_nobody/,
  },
  {
    name: 'a paused agent',
    settings: ({ service }) => ({ agentId: service.demo.pausedAgentId }),
    finding: ['agent', 'agent_paused'],
    en: /The agent is paused/,
    ar: /المساعد متوقف مؤقتًا/,
  },
  {
    name: 'a base URL in quotes',
    settings: ({ service }) => ({ baseUrl: `'${service.baseUrl}'` }),
    finding: inSettings('base_url_quoted'),
    en: /URL has quotation marks around it\..*Remove the quotation marks/,
    ar: /تحيط بعنوان الخدمة علامات اقتباس/,
  },
  {
    name: 'an address of another kind',
    settings: address('ftp://api.example/api/v2'),
    finding: inSettings('base_url_invalid'),
    en: /URL is not an http\(s\) URL.*https:\/\/api\.example\/api\/v2/,
    ar: /ليس عنوان http\(s\) صالحًا.*https:\/\/api\.example\/api\/v2/,
  },
  { name: 'a base URL without a scheme', settings: address('api.shop.example/api/v2'), ...website },
  { name: 'a relative base URL', settings: address('/api/v2'), ...website },
  {
    name: 'the URL of a website',
    settings: async ({ listen }) => ({
      baseUrl: await listen((_request, response) => {
        response.writeHead(200, { ...cors, 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
      }),
    }),
    ...website,
  },
  {
    name: 'a base URL without the version prefix',
    settings: ({ service }) => ({ baseUrl: service.url }),
    finding: ['service', 'prefix_wrong'],
    en: /End “base-url” with the version prefix/,
    ar: /كتابة بادئة الإصدار/,
  },
  {
    name: 'a base URL that redirects',
    settings: async ({ listen }) => {
      const url = await listen((request, response) => {
        const isPreflight = request.method === 'OPTIONS';
        response.writeHead(isPreflight ? 204 : 308, { ...cors, ...(!isPreflight && { location: '/new' }) }).end();
      });
      return { baseUrl: `${url}/api/v2` };
    },
    finding: ['service', 'redirected'],
    en: /redirects to another URL/,
    ar: /يعيد التوجيه إلى عنوان آخر/,
  },
  {
    name: 'a service that fails',
    settings: async ({ listen }) => {
      const url = await listen((request, response) => {
        response.writeHead(request.method === 'OPTIONS' ? 204 : 502, cors).end();
      });
      return { baseUrl: `${url}/api/v2` };
    },
    finding: ['service', 'service_failing'],
    en: /reports an internal error \(HTTP 502\)/,
    ar: /في الخدمة نفسها عطل/,
  },
  {
    name: 'a service that does not respond',
    settings: async () => ({ baseUrl: `http://127.0.0.1:${await freePort()}/api/v2` }),
    finding: ['service', 'unreachable'],
    en: /does not respond.*Check the URL for typos/,
    ar: /لا استجابة من/,
  },
  {
    name: 'the base URL of the docs',
    // This machine has no server at port 1.
    settings: address('http://api.example:1/api/v2'),
    finding: ['service', 'base_url_example'],
    en: /is the example address from the docs/,
    ar: /العنوان الوارد مثالًا/,
  },
  {
    name: 'mixed content',
    settings: address('http://api.example/api/v2'),
    origin: 'https://shop.example',
    finding: ['transport', 'mixed_content'],
    en: /This page uses HTTPS and the service’s URL does not/,
    ar: /هذه الصفحة على HTTPS وعنوان الخدمة ليس كذلك/,
  },
  {
    name: 'a site that the agent does not allow',
    origin: 'http://shop.example',
    finding: ['origin', 'origin_rejected'],
    en: /the site is not an allowed website of the agent.*Add http:\/\/shop\.example:\d+ to/,
    ar: /الموقع ليس بين مواقع المساعد/,
  },
  {
    name: 'a policy that blocks the service',
    policy: () => `default-src 'none'; script-src 'nonce-n'; connect-src 'self'`,
    finding: ['policy', 'policy_blocks'],
    en: /in connect-src: http:\/\/127\.0\.0\.1:\d+/,
    ar: /إضافة هذا إلى السياسة، في .connect-src/,
  },
];
