import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { and, eq } from 'drizzle-orm';
import { auditEntries, members } from '../../service/db/schema.ts';
import { Browser, startOpenIdProvider, type Account } from '../support/servers/openid-provider.ts';
import { createTestService, hour, origin, useTestService, type TestService } from './support.ts';

const teamUrl = 'https://team.example/team.html';
const teamOrigin = new URL(teamUrl).origin;
const redirectUrl = `${origin}/team/sign-in/callback`;
const accounts: Record<string, Account> = {
  vera: { email: 'vera@shop.example', email_verified: true, name: 'Vera', roles: ['staff', 'viewer'] },
  amir: { email: 'amir@shop.example', email_verified: true, name: 'Amir', roles: 'agent' },
  edda: { email: 'edda@shop.example', email_verified: true, name: 'Edda', roles: ['editor', 'viewer'] },
  adil: { email: 'adil@shop.example', email_verified: true, name: 'Adil', roles: ['owner'] },
  guest: { email: 'guest@shop.example', email_verified: true, roles: ['staff'] },
  unproven: { email: 'owner@palm-and-clay.example', email_verified: false, roles: ['admin'] },
};

const provider = await startOpenIdProvider(redirectUrl, accounts);
after(() => provider.close());

const settings = provider.settings(teamUrl);
const tested = useTestService(() => ({ signIn: settings }));

let browser: Browser;
beforeEach(() => {
  browser = newBrowser();
});

const newBrowser = (): Browser => new Browser(origin, tested.service.fetch);

const signIn = (account: string, from = browser): Promise<URL> =>
  from.signIn(`${origin}/team/sign-in`, account, teamUrl);

const call = async (method: string, path: string, body?: object, from = teamOrigin) => {
  const response = await browser.request(`${origin}/team${path}`, {
    method,
    headers: { 'content-type': 'application/json', origin: from },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
};

const memberWith = async (email: string) => {
  const [found] = await tested.rows(members, eq(members.email, email));
  return found;
};

/** What the log says about the last sign-in that has not succeeded. */
const logged = ({ log }: TestService = tested) => {
  const entry = log.findLast(({ event }) => event.startsWith('sign_in_'));
  return [entry?.level, entry?.event, entry?.['reason'], entry?.['description']];
};

describe('the sign-in to the team page', () => {
  it('makes a person with a role a member, who then has a session', async () => {
    assert.deepEqual((await call('GET', '/session')).body, { member: null, can_sign_in: true });
    const refused = await call('GET', '/inbox');
    assert.deepEqual([refused.status, refused.body.error.code], [401, 'not_signed_in']);
    assert.equal((await signIn('vera')).href, teamUrl);
    const { body } = await call('GET', '/session');
    assert.deepEqual(body.member, { name: 'Vera', role: 'viewer', email: 'vera@shop.example' });
    assert.equal((await call('GET', '/inbox')).status, 200);
    const { id } = (await memberWith('vera@shop.example'))!;
    const [entry] = await tested.rows(
      auditEntries,
      and(eq(auditEntries.target, id), eq(auditEntries.action, 'member.joined')),
    );
    assert.deepEqual([entry!.memberId, entry!.apiKeyId, entry!.detail], [id, null, { role: 'viewer' }]);
  });

  it('finds the same member again, whatever the case of the address, with the role of the provider', async () => {
    await signIn('vera');
    const before = await memberWith('vera@shop.example');
    accounts['vera'] = { ...accounts['vera']!, email: 'Vera@Shop.example', roles: ['editor'] };
    browser = newBrowser();
    await signIn('vera');
    const after = await memberWith('vera@shop.example');
    assert.deepEqual([after!.id, after!.role], [before!.id, 'editor']);
    assert.equal(await memberWith('Vera@Shop.example'), undefined);
  });

  it('does not make anybody an owner', async () => {
    await signIn('adil');
    assert.equal((await call('GET', '/session')).body.member.role, 'admin');
  });

  it('lets the owner in with the role of an admin only, so that an address alone gives no rights', async () => {
    const [owner] = await tested.rows(members, eq(members.role, 'owner'));
    accounts['amina'] = { email: owner!.email, roles: ['agent'] };
    assert.equal((await signIn('amina')).href, `${teamUrl}?sign-in=no_role`);
    assert.equal((await call('GET', '/inbox')).status, 401);
    accounts['amina'] = { email: owner!.email, roles: ['admin'] };
    browser = newBrowser();
    assert.equal((await signIn('amina')).href, teamUrl);
    assert.equal((await call('GET', '/session')).body.member.role, 'owner');
  });

  it('refuses a person without a role, and an address that is not verified', async () => {
    assert.equal((await signIn('guest')).href, `${teamUrl}?sign-in=no_role`);
    assert.equal((await call('GET', '/inbox')).status, 401);
    assert.equal(await memberWith('guest@shop.example'), undefined);
    browser = newBrowser();
    assert.equal((await signIn('unproven')).href, `${teamUrl}?sign-in=failed`);
    assert.equal((await call('GET', '/inbox')).status, 401);
    assert.deepEqual(logged(), ['warn', 'sign_in_refused', 'no_verified_email', undefined]);
  });

  it('ends a session with the membership, and refuses a former member until a new invitation', async () => {
    await signIn('amir');
    const { id, name, email, role } = (await memberWith('amir@shop.example'))!;
    const change = (method: string, path: string, body?: object) => tested.team(method, path, { body });
    assert.equal((await change('DELETE', `/members/${id}`)).status, 204);
    assert.equal((await call('GET', '/inbox')).status, 401);
    browser = newBrowser();
    assert.equal((await signIn('amir')).href, `${teamUrl}?sign-in=former_member`);
    assert.equal((await change('POST', '/members', { name, email, role })).status, 201);
    browser = newBrowser();
    assert.equal((await signIn('amir')).href, teamUrl);
    assert.equal((await call('GET', '/inbox')).status, 200);
  });

  it('ends with a working day, and with “Sign out”', async () => {
    await signIn('vera');
    tested.clock.now += 9 * hour;
    assert.equal((await call('GET', '/inbox')).status, 200);
    tested.clock.now += 2 * hour;
    assert.equal((await call('GET', '/inbox')).status, 401);
    browser = newBrowser();
    await signIn('vera');
    await call('POST', '/sign-out', undefined, 'https://other.example');
    assert.equal((await call('GET', '/inbox')).status, 200);
    assert.equal((await call('POST', '/sign-out')).status, 204);
    assert.equal((await call('GET', '/inbox')).status, 401);
  });
});

it('a sign-out ends the copies of the cookie and the other sessions of the member, and no session of another one', async () => {
  await signIn('vera');
  const copy = browser.cookie('workspace-team-session')!;
  const colleague = newBrowser();
  await colleague.signIn(`${origin}/team/sign-in`, 'adil', teamUrl);
  assert.equal((await call('POST', '/sign-out')).status, 204);
  browser = newBrowser();
  browser.setCookie('workspace-team-session', copy);
  assert.equal((await call('GET', '/inbox')).status, 401);
  assert.equal((await call('GET', '/session')).body.member, null);
  assert.equal((await colleague.request(`${origin}/team/inbox`)).status, 200);
  const again = newBrowser();
  await again.signIn(`${origin}/team/sign-in`, 'vera', teamUrl);
  // A session that has ended ends no other one.
  assert.equal((await call('POST', '/sign-out')).status, 204);
  assert.equal((await again.request(`${origin}/team/inbox`)).status, 200);
});

describe('the return from the provider', () => {
  /** Signs in up to the callback, whose address it returns. */
  const atCallback = (account = 'vera'): Promise<URL> => browser.signIn(`${origin}/team/sign-in`, account, redirectUrl);
  const locationOf = async (url: URL, from = browser) => (await from.request(url)).headers.get('location');

  it('of another browser is refused', async () => {
    const url = await atCallback();
    assert.equal(await locationOf(url, newBrowser()), `${teamUrl}?sign-in=expired`);
    const other = newBrowser();
    await other.request(`${origin}/team/sign-in`);
    assert.equal(await locationOf(url, other), `${teamUrl}?sign-in=expired`);
    assert.equal(other.cookie('workspace-team-session'), undefined);
  });

  it('works once, and for a quarter of an hour', async () => {
    const first = await atCallback();
    assert.equal(await locationOf(first), teamUrl);
    assert.equal(await locationOf(first), `${teamUrl}?sign-in=expired`);
    browser = newBrowser();
    const late = await atCallback();
    tested.clock.now += hour;
    assert.equal(await locationOf(late), `${teamUrl}?sign-in=expired`);
  });

  it('completes in two tabs that have begun at the same time, and none ends the attempt of the other', async () => {
    const first = await atCallback();
    const second = await atCallback();
    assert.equal(await locationOf(new URL(`${redirectUrl}?code=x&state=x`)), `${teamUrl}?sign-in=expired`);
    assert.equal(await locationOf(second), teamUrl);
    assert.equal(await locationOf(first), teamUrl);
    assert.equal(await locationOf(first), `${teamUrl}?sign-in=expired`);
  });

  it('leaves no more than five attempts in a browser, of which the newest can be completed', async () => {
    const begin = () => browser.request(`${origin}/team/sign-in`);
    for (let attempt = 0; attempt < 7; attempt++) {
      await begin();
      tested.clock.now += 1000;
    }
    const url = await atCallback();
    assert.equal(browser.cookieNames('workspace-team-sign-in').length, 5);
    await begin();
    assert.equal(await locationOf(url), teamUrl);
  });

  it('can begin beside cookies that another host of the site has set', async () => {
    for (let count = 0; count < 6; count++) browser.setCookie(`workspace-team-sign-in-(${count}`, 'x');
    assert.equal(await locationOf(await atCallback()), teamUrl);
  });

  it('with a changed code, and with an error of the provider is refused, and logged without names', async () => {
    const goneBack = `The user vera@shop.example\nhas gone back ${'x'.repeat(50)}`;
    for (const change of [
      { code: 'x' },
      { iss: 'https://other.example' },
      { error: 'access_denied', error_description: goneBack },
    ]) {
      browser = newBrowser();
      const url = await atCallback();
      for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value);
      assert.equal(await locationOf(url), `${teamUrl}?sign-in=failed`);
      assert.equal(browser.cookie('workspace-team-session'), undefined);
    }
    assert.deepEqual(logged(), ['warn', 'sign_in_refused', 'access_denied', 'The user … has gone back …']);
  });
});

describe('the cookie of the session', () => {
  it('is not readable by a page, and only sent to the service', async () => {
    await browser.signIn(`${origin}/team/sign-in`, 'vera', redirectUrl);
    const [name] = browser.cookieNames('workspace-team-sign-in');
    const attempt = browser.cookie(name!)!;
    assert.ok(!attempt.includes('verifier'));
    // Neither cookie can be used as the other.
    browser.setCookie('workspace-team-session', attempt);
    assert.equal((await call('GET', '/inbox')).status, 401);
    browser = newBrowser();
    const url = await browser.signIn(`${origin}/team/sign-in`, 'vera', redirectUrl);
    const response = await browser.request(url);
    const [session] = response.headers.getSetCookie().filter((each) => each.startsWith('workspace-team-session'));
    assert.match(session!, /; Max-Age=36000; Path=\/team; HttpOnly; SameSite=Lax$/);
  });

  it('that was changed counts as none', async () => {
    await signIn('vera');
    const value = browser.cookie('workspace-team-session')!;
    browser.setCookie('workspace-team-session', value.slice(0, -4) + (value.endsWith('AAAA') ? 'BBBB' : 'AAAA'));
    assert.equal((await call('GET', '/inbox')).status, 401);
  });

  it('is accepted from the team page only, for what changes something', async () => {
    await signIn('adil');
    const rename = (from: string) => call('PATCH', '/workspace', { name: 'Palm & Clay' }, from);
    assert.equal((await rename('https://other.example')).status, 403);
    assert.equal((await rename('http://localhost:5173')).status, 403);
    const renamed = await rename(teamOrigin);
    assert.equal(renamed.status, 200);
    assert.equal(renamed.headers.get('access-control-allow-origin'), teamOrigin);
    assert.equal(renamed.headers.get('access-control-allow-credentials'), 'true');
    const other = await call('GET', '/session', undefined, 'http://localhost:5173');
    assert.equal(other.headers.get('access-control-allow-credentials'), null);
  });
});

const prefix = '/assistant';
it('the sign-in below a path that a proxy removes completes, and its session is valid below the path', async () => {
  const publicUrl = `${origin}${prefix}/team`;
  const other = await startOpenIdProvider(`${publicUrl}/sign-in/callback`, accounts);
  const service = await createTestService({ signIn: other.settings(teamUrl) });
  const visitor = new Browser(origin, (request) =>
    service.service.fetch(new Request(request.url.replace(prefix, ''), request)),
  );
  try {
    assert.equal((await visitor.signIn(`${publicUrl}/sign-in`, 'vera', teamUrl)).href, teamUrl);
    assert.equal((await visitor.request(`${publicUrl}/inbox`)).status, 200);
  } finally {
    await service.service.close();
    await other.close();
  }
});

it('a provider that does not respond, or does not know the client, ends the sign-in with a reason on the page and in the log', async () => {
  for (const [change, reason] of [
    [{ issuer: 'http://127.0.0.1:9' }, /./],
    [{ clientSecret: 'a wrong secret' }, /^invalid_client client authentication failed$/],
  ] as const) {
    const other = await createTestService({ signIn: { ...settings, ...change } });
    const visitor = new Browser(origin, other.service.fetch);
    try {
      const url = await visitor.signIn(`${origin}/team/sign-in`, 'vera', teamUrl);
      assert.equal(url.href, `${teamUrl}?sign-in=failed`);
      const [level, event, ...cause] = logged(other);
      assert.deepEqual([level, event], ['error', 'sign_in_failed']);
      assert.match(cause.join(' '), reason);
      assert.doesNotMatch(JSON.stringify(other.log), /a wrong secret|[?&]code=/);
    } finally {
      await other.service.close();
    }
  }
});

describe('a role', () => {
  /** One call for each kind of change, with the roles that may make it. Unknown ids show that the call was allowed. */
  const changes: [method: string, path: string, roles: string[]][] = [
    ['POST', '/conversations/cnv_x/reply', ['admin', 'editor', 'agent']],
    ['PATCH', '/tickets/tkt_x', ['admin', 'editor', 'agent']],
    ['POST', '/requests/act_x', ['admin', 'editor', 'agent']],
    ['POST', '/agents/agt_x/sources', ['admin', 'editor']],
    ['PATCH', '/agents/agt_x', ['admin', 'editor']],
    ['POST', '/ticket-fields', ['admin', 'editor']],
    ['POST', '/agents/agt_x/identity-secret', ['admin']],
    ['POST', '/keys', ['admin']],
    ['POST', '/members', ['admin']],
    ['PATCH', '/workspace', ['admin']],
    ['POST', '/contacts/ctc_x/erase', ['admin']],
    ['POST', '/webhooks/whk_x/test', ['admin']],
  ];
  const persons = { admin: 'adil', editor: 'edda', agent: 'amir', viewer: 'vera' };
  const given = structuredClone(accounts);
  afterEach(() => Object.assign(accounts, structuredClone(given)));

  for (const [role, person] of Object.entries(persons)) {
    it(`${role} may read everything, and changes what the table says`, async () => {
      accounts[person] = { ...accounts[person]!, email: `${role}-of-table@shop.example`, roles: role };
      await signIn(person);
      for (const path of ['/inbox', '/overview', '/audit-log', '/workspace', '/notices']) {
        assert.equal((await call('GET', path)).status, 200, path);
      }
      for (const [method, path, allowed] of changes) {
        const { status, body } = await call(method, path, {});
        const isRefused = status === 403 && body.error.code === 'role_limit';
        assert.equal(isRefused, !allowed.includes(role), `${method} ${path}: ${status} ${body?.error?.code}`);
      }
    });
  }
});
