import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright';
import type { DoctorReport } from '../../src/products/doctor/doctor.ts';
import { createService, type Listening, type Service } from '../../service/service.ts';
import { findings } from '../support/pages/axe.ts';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { servePages, sharedCdn, type Built } from '../support/servers/built-widget.ts';
import { expectNoComplaints, newVisitor, startDemo } from '../support/pages/visit.ts';

/** Real names for this machine, so that a page is on somebody's site. */
const launchWithNames = () => launchBrowser('--host-resolver-rules=MAP *.example 127.0.0.1');

const listen = async (answer: RequestListener) => {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, close: () => server.close() };
};

describe('the install doctor', () => {
  let browser: Browser;
  let service: Service;
  let api: Listening;
  let built: Built;
  let settings: { baseUrl: string; publishableKey: string; agentId: string };
  let offset = 0;

  before(async () => {
    browser = await launchWithNames();
    service = await createService({ chunkDelay: 5, now: () => Date.now() + offset });
    built = await sharedCdn();
    api = await service.listen();
    const { agentId, publishableKey } = service.demo;
    settings = { baseUrl: api.baseUrl, publishableKey, agentId };
  });

  beforeEach(() => {
    offset += 60_000;
  });

  after(async () => {
    await browser?.close();
    await service?.close();
    await built?.remove();
  });

  const page = ({ baseUrl, publishableKey, agentId }: typeof settings) =>
    `<!doctype html><html lang="en"><title>Page</title><body><p>Words</p><script nonce="n" async src="/cdn/embed.js" data-base-url="${baseUrl}" data-publishable-key="${publishableKey}" data-agent-id="${agentId}"></script></body></html>`;

  interface Options {
    headers?: Record<string, string>;
    /** The page's host. */
    host?: string;
    ask?: boolean;
    prepare?: (page: Page) => Promise<unknown>;
  }

  interface Examined extends DoctorReport {
    /** `state code` of each check. */
    codes: Record<string, string>;
    printed: string;
    /** The addresses that the doctor asked, and nothing of the page. */
    asked: string[];
  }

  const ask = async (visited: Page, options: { ask: boolean; locale?: string }): Promise<Examined> => {
    const asked: string[] = [];
    const printed: string[] = [];
    await visited.waitForFunction(`typeof WorkspaceChat === 'function'`);
    visited.on('request', (request) => {
      if (request.resourceType() === 'fetch') asked.push(`${request.method()} ${request.url()}`);
    });
    visited.on('console', (message) => {
      if (message.type() === 'info') printed.push(message.text());
    });
    const report = await visited.evaluate<DoctorReport>(
      `WorkspaceChat('doctor', ${JSON.stringify({ locale: 'en', ...options })})`,
    );
    const codes = Object.fromEntries(report.findings.map(({ check, state, code }) => [check, `${state} ${code}`]));
    return { ...report, codes, asked, printed: printed.join('\n') };
  };

  const examine = async (
    changed: Partial<typeof settings> = {},
    { headers = {}, host = '127.0.0.1', ask: isAsking = false, prepare }: Options = {},
  ): Promise<Examined> => {
    const server = await servePages({ '/': page({ ...settings, ...changed }) }, { '/cdn/': built.folder }, headers);
    const context = await newVisitor(browser);
    try {
      const visited = await context.newPage();
      await prepare?.(visited);
      await visited.goto(server.url.replace('127.0.0.1', host));
      return await ask(visited, { ask: isAsking });
    } finally {
      await context.close();
      await server.close();
    }
  };

  const fix = ({ findings }: DoctorReport, check: string) => findings.find((finding) => finding.check === check)!.fix;

  const secretly = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${api.baseUrl}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${service.demo.secretKey}`, 'content-type': 'application/json' },
    });
    assert.equal(response.status, 200);
    return (await response.json()) as { data: unknown[] };
  };

  const countConversations = async () =>
    (await secretly(`/agents/${service.demo.agentId}/conversations?limit=100`)).data.length;

  it('finds nothing wrong where nothing is, and begins no conversation', async () => {
    const before = await countConversations();
    const report = await examine();
    assert.deepEqual(report.codes, {
      settings: 'ok settings_ok',
      transport: 'ok transport_ok',
      policy: 'ok policy_ok',
      service: 'ok service_ok',
      origin: 'ok origin_local',
      key: 'ok key_ok',
      agent: 'unknown agent_not_asked',
      storage: 'ok storage_ok',
    });
    assert.equal(report.isGood, true);
    const chat = `POST ${api.baseUrl}/agents/${settings.agentId}/chat`;
    assert.deepEqual(report.asked.sort(), [`GET ${api.baseUrl}/me`, chat, chat]);
    assert.equal(await countConversations(), before);
    assert.match(report.printed, /^workspace-chat: No problem found\.\n✓ Settings: /);
    assert.ok(!report.printed.includes(settings.publishableKey));
  });

  it('asks a real question when it is told to', async () => {
    const before = await countConversations();
    const report = await examine({}, { ask: true });
    assert.equal(report.codes['agent'], 'ok agent_ok');
    assert.equal(await countConversations(), before + 1);
  });

  for (const [name, publishableKey, check, code] of [
    ['an unknown key', 'svc_pk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'key', 'problem invalid_key'],
    ['a secret key', 'svc_sk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'settings', 'problem key_secret'],
    ['a website key', 'pk_AAAAAAAA', 'settings', 'problem key_website'],
    ['something else for a key', 'sk-123', 'settings', 'problem key_unknown'],
  ] as const) {
    it(`knows ${name}`, async () => {
      const report = await examine({ publishableKey });
      assert.equal(report.codes[check], code);
      assert.ok(fix(report, check));
      if (check === 'settings') assert.deepEqual(report.asked, []);
      assert.ok(!report.printed.includes(publishableKey));
    });
  }

  it('knows an agent that there is not, and one that is paused, without a conversation', async () => {
    assert.equal((await examine({ agentId: 'agt_nobody' })).codes['agent'], 'problem agent_unknown');
    const { codes } = await examine({ agentId: service.demo.pausedAgentId });
    assert.equal(codes['agent'], 'problem agent_paused');
    assert.equal(codes['key'], 'ok key_ok');
  });

  it('tells a site that may not ask from one that may', async () => {
    const server = await servePages({ '/': page(settings) }, { '/cdn/': built.folder });
    const context = await newVisitor(browser);
    try {
      const visited = await context.newPage();
      const site = server.url.replace('127.0.0.1', 'potter.example');
      await visited.goto(site);
      const refused = await ask(visited, { ask: false });
      assert.equal(refused.codes['origin'], 'problem origin_rejected');
      assert.equal(refused.codes['service'], 'unknown service_unread');
      assert.ok(fix(refused, 'origin').includes(site));

      await secretly(`/agents/${settings.agentId}`, {
        method: 'PATCH',
        body: JSON.stringify({ allowed_origins: [site] }),
      });
      offset += 60_000;
      const { codes } = await ask(visited, { ask: false });
      assert.equal(codes['origin'], 'ok origin_ok');
      assert.equal(codes['key'], 'ok key_ok');
      assert.equal(codes['agent'], 'unknown agent_not_asked');
    } finally {
      await context.close();
      await server.close();
    }
  });

  it('names the directive of the policy that stops it, and what to add', async () => {
    const report = await examine(
      {},
      { headers: { 'content-security-policy': `default-src 'none'; script-src 'nonce-n'; connect-src 'self'` } },
    );
    assert.equal(report.codes['policy'], 'problem policy_blocks');
    assert.ok(fix(report, 'policy').endsWith(`in connect-src: ${api.url}`));
    assert.equal(report.codes['service'], 'unknown not_examined');
    assert.equal(report.findings.filter(({ state }) => state === 'problem').length, 1);
  });

  it('knows mixed content', async () => {
    const context = await newVisitor(browser);
    try {
      const visited = await context.newPage();
      await visited.route('https://shop.example/**', async (route) => {
        const { pathname } = new URL(route.request().url());
        if (pathname === '/') {
          const body = page({ ...settings, baseUrl: 'http://api.example/api/v2' });
          return route.fulfill({ contentType: 'text/html', body });
        }
        const body = await readFile(join(built.folder, basename(pathname)));
        return route.fulfill({ contentType: 'text/javascript', body });
      });
      await visited.goto('https://shop.example/');
      const report = await ask(visited, { ask: false });
      assert.equal(report.codes['transport'], 'problem mixed_content');
      assert.deepEqual(report.asked, []);
    } finally {
      await context.close();
    }
  });

  it('tells an outage', async () => {
    const gone = await listen(() => {});
    gone.close();
    const report = await examine({ baseUrl: `${gone.url}/api/v2` });
    assert.equal(report.codes['service'], 'problem unreachable');
    assert.equal(report.codes['origin'], 'unknown not_examined');
  });

  it('tells a service that fails', async () => {
    // A preflight wants a good answer before there is a bad one.
    const proxied = await listen((request, response) => {
      response.writeHead(request.method === 'OPTIONS' ? 204 : 502, {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'authorization, content-type',
      });
      response.end();
    });
    const report = await examine({ baseUrl: `${proxied.url}/api/v2` });
    assert.equal(report.codes['service'], 'problem service_failing');
    proxied.close();
  });

  it('tells an address without its version prefix, one of a website, and one that sends on', async () => {
    assert.equal((await examine({ baseUrl: api.url })).codes['service'], 'problem prefix_wrong');
    // Below the page's own address, whose answers every page may read.
    assert.equal((await examine({ baseUrl: '/api/v2' })).codes['service'], 'problem wrong_address');
    const moved = await examine(
      { baseUrl: '/api/v2' },
      {
        prepare: (visited) =>
          visited.route('**/api/v2/**', (route) =>
            route.fulfill({ status: 301, headers: { location: 'https://elsewhere.example/' } }),
          ),
      },
    );
    assert.equal(moved.codes['service'], 'problem redirected');
  });

  it('tells that the browser keeps nothing', async () => {
    const report = await examine({}, { headers: { 'content-security-policy': 'sandbox allow-scripts' } });
    assert.equal(report.codes['storage'], 'problem storage_blocked');
    assert.equal(report.codes['key'], 'ok key_ok');
  });
});

describe('the install doctor’s page', () => {
  it('examines, explains in both languages, and asks only when told to', async () => {
    const [browser, demo] = await Promise.all([launchWithNames(), startDemo()]);
    try {
      const context = await newVisitor(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
      const page = await context.newPage();
      await page.goto(new URL('doctor.html', demo.url).href);
      await page.waitForFunction(
        (agentId) => document.querySelector<HTMLInputElement>('[name=agentId]')!.value === agentId,
        demo.config.agentId,
      );
      await page.getByRole('button', { name: 'Examine' }).click();
      await page.getByRole('heading', { name: 'No problem found.' }).waitFor();
      assert.equal(await page.locator('#findings li').count(), 8);
      assert.deepEqual(await findings(page), []);

      await page.getByRole('button', { name: 'Ask one real question' }).click();
      await page.getByText('The agent has answered a question.').waitFor();

      await page.getByRole('button', { name: 'Copy the report' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      assert.match(await page.evaluate('navigator.clipboard.readText()'), /✓ Agent: The agent has answered/);

      await page.getByRole('textbox', { name: 'Publishable key' }).fill('svc_sk_secret');
      await page.getByRole('button', { name: 'Examine' }).click();
      await page.getByRole('heading', { name: 'One problem found.' }).waitFor();
      await page.getByRole('button', { name: 'العربية' }).click();
      await page.getByText('ألغِه الآن').waitFor();
      assert.deepEqual(await findings(page), []);
      // What must be refused is asked for, and the browser logs each refusal.
      expectNoComplaints(context, /status of (403|422|404)/);
    } finally {
      await browser.close();
      await demo.close();
    }
  });
});
