/** The settings of the sign-in to the team page, as the environment variables define them. */
import { isLoopbackUrl } from '../core/loopback.ts';

export interface SignInSettings {
  /** The URL of the OpenID provider, below which its `.well-known/openid-configuration` is. */
  issuer: string;
  clientId: string;
  /** Undefined for a client without a secret. */
  clientSecret: string | undefined;
  /** The public URL of `/team/sign-in/callback`, as the provider knows it. */
  redirectUrl: string;
  /** The claim with the roles of a person, also as a path: `realm_access.roles`. */
  roleClaim: string;
  /** The scopes that are requested, separated by spaces. */
  scope: string;
  /** The address of the team page, to which the visitor returns. */
  teamUrl: string;
}

interface Given {
  signInIssuer: string | undefined;
  signInClientId: string | undefined;
  signInClientSecret: string | undefined;
  signInRedirectUrl: string | undefined;
  signInRoleClaim: string;
  signInScope: string;
  teamUrl: string | undefined;
}

/** @throws {Error} With a message for the terminal when a setting lacks the others. */
export const signInFromConfiguration = (given: Given): SignInSettings | undefined => {
  const { signInIssuer: issuer, signInClientId: clientId, signInRedirectUrl: redirectUrl, teamUrl } = given;
  const { signInClientSecret: clientSecret, signInRoleClaim: roleClaim, signInScope: scope } = given;
  if ([issuer, clientId, clientSecret, redirectUrl].every((value) => value === undefined)) return undefined;
  if (issuer === undefined || clientId === undefined || redirectUrl === undefined || teamUrl === undefined) {
    throw new Error('The sign-in needs OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_REDIRECT_URL and TEAM_URL.');
  }
  if (!new URL(redirectUrl).pathname.endsWith('/team/sign-in/callback')) {
    throw new Error(`OIDC_REDIRECT_URL has to end with /team/sign-in/callback: “${redirectUrl}”.`);
  }
  const found = { issuer, clientId, clientSecret, redirectUrl, roleClaim, scope, teamUrl };
  requireUsable(found);
  return found;
};

/** @throws {Error} For settings with which nobody could ever sign in. */
const requireUsable = ({ issuer, redirectUrl, scope, teamUrl }: SignInSettings): void => {
  if (new URL(issuer).protocol === 'http:' && !isLoopbackUrl(issuer)) {
    throw new Error(`OIDC_ISSUER has to begin with https:// unless it is on this machine: “${issuer}”.`);
  }
  if (!scope.split(/\s+/).includes('openid')) {
    throw new Error(`OIDC_SCOPE has to contain openid: “${scope}”.`);
  }
  if (!mayBeSameSite(redirectUrl, teamUrl)) {
    throw new Error(
      `OIDC_REDIRECT_URL and TEAM_URL have to be on one site, because the browser sends the cookie of the session to no other: “${redirectUrl}”, “${teamUrl}”.`,
    );
  }
};

/**
 * Two hosts of one site have at least the last two names in common, as in team.example.com and api.example.com. Which sites end
 * with more names, as in example.co.uk, only a list knows: these are not found out.
 */
const mayBeSameSite = (one: string, other: string): boolean => {
  const [host, otherHost] = [new URL(one).hostname, new URL(other).hostname];
  if (host === otherHost) return true;
  const isAddress = /^\[|^[\d.]+$/.test(host);
  const site = (name: string) => name.split('.').slice(-2).join('.');
  return !isAddress && host.includes('.') && site(host) === site(otherHost);
};
