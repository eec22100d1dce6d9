import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { LogEntry } from '../../service/service.ts';
import { describeFailure } from '../../service/sign-in/failure.ts';
import { createProvider } from '../../service/sign-in/provider.ts';
import { Browser, startOpenIdProvider } from '../support/servers/openid-provider.ts';
import { origin, TestService, useTestService } from './support.ts';

const teamUrl = 'https://team.example/team.html';
const redirectUrl = `${origin}/team/sign-in/callback`;
const provider = await startOpenIdProvider(redirectUrl, {
  vera: { email: 'vera@shop.example', email_verified: true, roles: 'viewer' },
  unproven: { email: 'owner@palm-and-clay.example', email_verified: false, roles: 'admin' },
});
after(() => provider.close());

const settings = provider.settings(teamUrl);
const tested = useTestService(() => ({ signIn: settings }));

let browser: Browser;
beforeEach(() => {
  browser = newBrowser();
});

const newBrowser = (): Browser => new Browser(origin, tested.service.fetch);

describe('the log of the sign-in', () => {
  const teamEntries = (log: LogEntry[]) =>
    log.flatMap(({ level, event, reason, description }) =>
      event.startsWith('sign_in_') ? [{ level, event, reason, description }] : [],
    );

  it('has the reason of the provider for a wrong client secret, and neither the code nor the secret', async () => {
    const other = new TestService();
    await other.start({ signIn: { ...settings, clientSecret: 'a wrong secret' } });
    const visitor = new Browser(origin, other.service.fetch);
    try {
      const url = await visitor.signIn(`${origin}/team/sign-in`, 'vera', redirectUrl);
      await visitor.request(url);
      const [entry] = teamEntries(other.log);
      assert.deepEqual(
        [entry?.level, entry?.event, entry?.reason, entry?.description],
        ['error', 'sign_in_failed', 'invalid_client', 'client authentication failed'],
      );
      const text = JSON.stringify(other.log);
      for (const secret of [url.searchParams.get('code')!, 'a wrong secret']) assert.ok(!text.includes(secret));
    } finally {
      await other.service.close();
    }
  });

  it('has a warning, and no error, for a person who cancels, or whose address is not verified', async () => {
    const from = tested.log.length;
    const url = await browser.signIn(`${origin}/team/sign-in`, 'vera', redirectUrl);
    url.searchParams.delete('code');
    url.searchParams.set('error', 'access_denied');
    url.searchParams.set('error_description', `The user vera@shop.example\nhas gone back ${'x'.repeat(50)}`);
    await browser.request(url);
    browser = newBrowser();
    await browser.signIn(`${origin}/team/sign-in`, 'unproven', teamUrl);
    assert.deepEqual(teamEntries(tested.log.slice(from)), [
      {
        level: 'warn',
        event: 'sign_in_refused',
        reason: 'access_denied',
        description: 'The user … has gone back …',
      },
      { level: 'warn', event: 'sign_in_refused', reason: 'no_verified_email', description: undefined },
    ]);
  });

  it('has the cause of a provider that is away, or does not describe itself', async () => {
    const reasonAt = async (issuer: string) => {
      const failure = await createProvider({ ...settings, issuer })
        .begin()
        .catch(describeFailure);
      assert.ok('reason' in failure);
      return failure;
    };
    assert.equal((await reasonAt('http://127.0.0.1:9')).isRefusal, false);
    const { reason, description } = await reasonAt(`${settings.issuer}/other`);
    assert.match(`${reason}: ${description}`, /^OAUTH_\w+: unexpected HTTP response status code: status 404$/);
  });
});
