import type { Page } from '@playwright/test';
import type { DoctorReport } from '../../src/products/doctor/doctor.ts';
import { expect, it as base, type TestService } from '../support/fixtures.ts';
import { pageWithTag } from './embed-fixtures.ts';

type Settings = TestService['settings'];

interface Options {
  headers?: Record<string, string>;
  /** The host name of the page. */
  host?: string;
  /** Lets the doctor ask the agent a real question. */
  ask?: boolean;
  /** Runs before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>;
}

interface Diagnosis extends DoctorReport {
  /** `state code` of each check. */
  codes: Record<string, string>;
  printed: string;
  /** The doctor's own requests, as `method url`. */
  requested: string[];
}

/** Runs the doctor on an open page. */
const diagnose = async (page: Page, options: { ask: boolean; locale?: string }): Promise<Diagnosis> => {
  const requested: string[] = [];
  const printed: string[] = [];
  await page.waitForFunction(`typeof WorkspaceChat === 'function'`);
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') requested.push(`${request.method()} ${request.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'info') printed.push(message.text());
  });
  const report = await page.evaluate<DoctorReport>(
    `WorkspaceChat('doctor', ${JSON.stringify({ locale: 'en', ...options })})`,
  );
  const codes = Object.fromEntries(report.findings.map(({ check, state, code }) => [check, `${state} ${code}`]));
  return { ...report, codes, requested, printed: printed.join('\n') };
};

const fixOf = ({ findings }: DoctorReport, check: string) => findings.find((finding) => finding.check === check)!.fix;

interface DoctorFixtures {
  /** Opens a page with some settings changed, and runs the doctor on it. */
  examine(changed?: Partial<Settings>, options?: Options): Promise<Diagnosis>;
  /** Calls the service with its secret key. */
  call(path: string, init?: RequestInit): Promise<{ data: unknown[] }>;
  countConversations(): Promise<number>;
}

/** The browser resolves host names below `.example`, so that a page has the origin of a real site. */
const it = base.extend<DoctorFixtures>({
  browser: async ({ browserWithNames }, use) => use(browserWithNames),
  examine: async ({ newPage, serve, service, cdnBuild }, use) => {
    await use(async (changed = {}, { headers, host = '127.0.0.1', ask = false, prepare } = {}) => {
      const html = pageWithTag({ ...service.settings, ...changed });
      const server = await serve({ '/': html }, { '/cdn/': cdnBuild.folder }, headers);
      const page = await newPage();
      await prepare?.(page);
      await page.goto(server.url.replace('127.0.0.1', host));
      return diagnose(page, { ask });
    });
  },
  call: async ({ service }, use) => {
    await use(async (path, init = {}) => {
      const response = await fetch(`${service.baseUrl}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${service.demo.secretKey}`, 'content-type': 'application/json' },
      });
      expect(response.status).toBe(200);
      return (await response.json()) as { data: unknown[] };
    });
  },
  countConversations: async ({ call, service }, use) => {
    await use(async () => (await call(`/agents/${service.demo.agentId}/conversations?limit=100`)).data.length);
  },
});

it.describe('the install doctor', () => {
  // The doctor sends requests that must be refused, and the browser logs each refusal.
  it.use({ allowedErrors: [/./] });

  it('the doctor finds no problem on a correct page and starts no conversation', async ({
    service,
    countConversations,
    examine,
  }) => {
    const before = await countConversations();
    const report = await examine();
    expect(report.codes).toEqual({
      settings: 'ok settings_ok',
      transport: 'ok transport_ok',
      policy: 'ok policy_ok',
      service: 'ok service_ok',
      origin: 'ok origin_local',
      key: 'ok key_ok',
      agent: 'unknown agent_not_asked',
      storage: 'ok storage_ok',
    });
    expect(report.isGood).toBe(true);
    const chat = `POST ${service.baseUrl}/agents/${service.settings.agentId}/chat`;
    expect(report.requested.sort()).toEqual([`GET ${service.baseUrl}/me`, chat, chat]);
    expect(await countConversations()).toBe(before);
    expect(report.printed).toMatch(/^workspace-chat: No problem found\.\n✓ Settings: /);
    expect(!report.printed.includes(service.settings.publishableKey)).toBeTruthy();
  });

  it('the doctor asks the agent a real question on request', async ({ countConversations, examine }) => {
    const before = await countConversations();
    const report = await examine({}, { ask: true });
    expect(report.codes['agent']).toBe('ok agent_ok');
    expect(await countConversations()).toBe(before + 1);
  });

  it('the doctor reports an origin that the agent does not allow, until it is allowed', async ({
    newPage,
    service,
    call,
    serve,
    cdnBuild,
  }) => {
    const server = await serve({ '/': pageWithTag(service.settings) }, { '/cdn/': cdnBuild.folder });
    const visited = await newPage();
    const site = server.url.replace('127.0.0.1', 'potter.example');
    await visited.goto(site);
    const refused = await diagnose(visited, { ask: false });
    expect(refused.codes['origin']).toBe('problem origin_rejected');
    expect(refused.codes['service']).toBe('unknown service_unread');
    expect(fixOf(refused, 'origin')).toContain(site);

    await call(`/agents/${service.settings.agentId}`, {
      method: 'PATCH',
      body: JSON.stringify({ allowed_origins: [site] }),
    });
    service.moveClock(60_000);
    const { codes } = await diagnose(visited, { ask: false });
    expect(codes['origin']).toBe('ok origin_ok');
    expect(codes['key']).toBe('ok key_ok');
    expect(codes['agent']).toBe('unknown agent_not_asked');
  });

  it('the doctor reports that the browser stores nothing', async ({ examine }) => {
    const report = await examine({}, { headers: { 'content-security-policy': 'sandbox allow-scripts' } });
    expect(report.codes['storage']).toBe('problem storage_blocked');
    expect(report.codes['key']).toBe('ok key_ok');
  });
});
