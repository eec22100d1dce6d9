import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { signInCheck } from '../../service/checks/other-systems.ts';
import { readConfiguration } from '../../service/configuration.ts';
import { createProvider, toPerson } from '../../service/sign-in/provider.ts';
import { describeFailure } from '../../service/sign-in/failure.ts';
import { startOpenIdProvider } from '../support/servers/openid-provider.ts';
import { origin } from './support.ts';

const teamUrl = 'https://team.example/team.html';
const provider = await startOpenIdProvider(`${origin}/team/sign-in/callback`, {});
after(() => provider.close());

const settings = provider.settings(teamUrl);
describe('the settings of the sign-in', () => {
  const read = (environment: Record<string, string>) => readConfiguration([], environment);
  const given = {
    OIDC_ISSUER: 'https://login.example',
    OIDC_CLIENT_ID: 'team',
    OIDC_REDIRECT_URL: 'https://team.example/team/sign-in/callback',
    TEAM_URL: teamUrl,
  };

  it('are complete, or absent', () => {
    const configuration = read(given);
    assert.ok(configuration !== 'help');
    assert.deepEqual([configuration.signIn?.issuer, configuration.signIn?.roleClaim], [given.OIDC_ISSUER, 'roles']);
    for (const name of Object.keys(given)) {
      assert.throws(
        () => read({ ...given, [name]: '' }),
        /needs OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_REDIRECT_URL and TEAM_URL/,
      );
    }
    const withOtherPath = { ...given, OIDC_REDIRECT_URL: 'https://team.example/callback' };
    assert.throws(() => read(withOtherPath), /OIDC_REDIRECT_URL has to end with \/team\/sign-in\/callback/);
    const alone = read({ TEAM_URL: teamUrl });
    assert.ok(alone !== 'help' && alone.signIn === undefined);
  });

  it('end the start when nobody could ever sign in with them', () => {
    const complaintOf = (changed: Record<string, string>) => {
      try {
        read({ ...given, ...changed });
        return 'none';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const plain = { OIDC_ISSUER: 'http://login.example' };
    assert.match(complaintOf(plain), /^OIDC_ISSUER has to begin with https:.*“http:\/\/login\.example”\.$/);
    for (const scope of ['email profile', 'openidx', 'OPENID']) {
      assert.match(complaintOf({ OIDC_SCOPE: scope }), /^OIDC_SCOPE has to contain openid/, scope);
    }
    const at = (api: string, team: string) =>
      complaintOf({ OIDC_REDIRECT_URL: `${api}/team/sign-in/callback`, TEAM_URL: team });
    for (const [api, team] of [
      ['https://api.shop.example', 'https://team.store.example'],
      ['http://127.0.0.1:8787', 'http://localhost:5173'],
      ['http://127.0.0.1:8787', 'http://192.168.0.1:5173'],
      ['http://localhost:8787', 'https://team.example'],
    ]) {
      assert.match(at(api!, team!), /^OIDC_REDIRECT_URL and TEAM_URL have to be on one site/, `${api} ${team}`);
    }
    for (const [api, team] of [
      ['https://api.shop.example', 'https://team.shop.example/page'],
      ['https://shop.example/assistant', 'https://team.shop.example'],
      ['http://localhost:8787', 'http://localhost:5173/team.html'],
      ['https://api.shop.co.example', 'https://team.shop.co.example'],
    ]) {
      assert.equal(at(api!, team!), 'none', `${api} ${team}`);
    }
    const local = { OIDC_ISSUER: 'http://localhost:8080/realms/team', OIDC_SCOPE: 'email openid  groups' };
    assert.equal(complaintOf(local), 'none');
  });

  it('are examined: whether the provider describes itself', async () => {
    assert.equal((await signInCheck(createProvider(settings)).run()).verdict, 'ok');
    for (const issuer of [`${settings.issuer}/other`, 'http://127.0.0.1:9']) {
      const finding = await signInCheck(createProvider({ ...settings, issuer })).run();
      assert.equal(finding.verdict, 'failed');
      assert.match(finding.text, /Check OIDC_ISSUER/);
    }
  });

  it('may name a path to the role, or a claim whose name has dots', () => {
    const person = { email: 'a@b.example', realm_access: { roles: ['editor', 5] }, 'https://a.example/role': 'agent' };
    assert.deepEqual(toPerson(person, 'realm_access.roles').roles, ['editor']);
    assert.deepEqual(toPerson(person, 'https://a.example/role').roles, ['agent']);
    assert.deepEqual(toPerson(person, 'constructor').roles, []);
    assert.throws(() => toPerson({ ...person, email: ' ' }, 'roles'), /no verified e-mail address/);
  });

  it('accept an address whose verification is true or not mentioned, and no other, whatever its type', () => {
    const verdictOf = (claims: Record<string, unknown>) => {
      try {
        return toPerson({ email: 'a@b.example', ...claims }, 'roles').email;
      } catch {
        return 'refused';
      }
    };
    for (const value of [true, 'true', undefined]) assert.equal(verdictOf({ email_verified: value }), 'a@b.example');
    assert.equal(verdictOf({}), 'a@b.example');
    for (const value of [false, 'false', 'False', '', 0, 1, 'no', 'yes', null, [], [true], {}]) {
      assert.equal(verdictOf({ email_verified: value }), 'refused', JSON.stringify(value));
    }
  });
});

it('the failure of a provider that is away, or does not describe itself, has its cause', async () => {
  const failureAt = async (issuer: string) => {
    const failure = await createProvider({ ...settings, issuer })
      .begin()
      .catch(describeFailure);
    assert.ok('reason' in failure);
    return failure;
  };
  assert.equal((await failureAt('http://127.0.0.1:9')).isRefusal, false);
  const { reason, description } = await failureAt(`${settings.issuer}/other`);
  assert.match(`${reason}: ${description}`, /^OAUTH_\w+: unexpected HTTP response status code: status 404$/);
});
