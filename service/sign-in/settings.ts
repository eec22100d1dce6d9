/** The settings of the sign-in to the team page, as the environment variables define them. */

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
  return { issuer, clientId, clientSecret, redirectUrl, roleClaim, scope, teamUrl };
};
