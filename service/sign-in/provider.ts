/** The OpenID provider: the authorization code flow with PKCE. Loaded only when a provider is configured. */
import * as oidc from 'openid-client';
import { z } from '@hono/zod-openapi';
import { isLoopbackUrl } from '../core/loopback.ts';
import { UnprovenAddressError } from './failure.ts';
import type { SignInSettings } from './settings.ts';

/** What a sign-in must return with, so that it is the one that this browser has begun. */
export const checks = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() });
export type Checks = z.infer<typeof checks>;

/** The person, as the provider describes them. */
export interface Person {
  email: string;
  name: string;
  /** The values of the role claim. Not all of them need to be roles of the service. */
  roles: string[];
}

export interface Provider {
  /** @throws {Error} When the provider is not reachable, or is not the one that is configured. */
  verify(): Promise<void>;
  /** Returns the URL to which the browser goes, and what the sign-in must return with. */
  begin(): Promise<{ url: string; checks: Checks }>;
  /**
   * @param search The query of the callback, with its question mark.
   * @throws {Error} When the response is not valid, or has no verified e-mail address.
   */
  finish(search: string, expected: Checks): Promise<Person>;
}

/** A provider that does not respond must not hold a request. */
const timeoutSeconds = 10;

/** Reads the provider's description of itself once. A failure is not remembered: the provider may have been away. */
const createDiscovery = ({ issuer, clientId, clientSecret }: SignInSettings): (() => Promise<oidc.Configuration>) => {
  const server = new URL(issuer);
  // On this machine there is no certificate.
  const isPlain = server.protocol === 'http:' && isLoopbackUrl(issuer);
  const authentication = clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
  const options = { timeout: timeoutSeconds, execute: isPlain ? [oidc.allowInsecureRequests] : [] };
  let discovered: Promise<oidc.Configuration> | undefined;
  return () => {
    discovered ??= oidc.discovery(server, clientId, undefined, authentication, options).catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  };
};

export const createProvider = (settings: SignInSettings): Provider => {
  const { redirectUrl, roleClaim, scope } = settings;
  const discover = createDiscovery(settings);
  return {
    async verify() {
      await discover();
    },
    async begin() {
      const configuration = await discover();
      const expected = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUrl,
        scope,
        state: expected.state,
        nonce: expected.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(expected.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, checks: expected };
    },
    async finish(search, { state, nonce, verifier }) {
      const configuration = await discover();
      const tokens = await oidc.authorizationCodeGrant(configuration, new URL(search, redirectUrl), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      // Some providers put the profile into the ID token, others only into the response of the UserInfo endpoint.
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const userInfo = hasUserInfo ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
      return toPerson({ ...userInfo, ...claims }, roleClaim);
    },
  };
};

type Claims = Record<string, unknown>;

/** A name with dots may be the whole name of a claim, such as a URL, or a path. */
const valueAt = (claims: Claims, name: string): unknown =>
  Object.hasOwn(claims, name)
    ? claims[name]
    : name
        .split('.')
        .reduce<unknown>(
          (value, member) =>
            typeof value === 'object' && value !== null && Object.hasOwn(value, member)
              ? (value as Claims)[member]
              : undefined,
          claims,
        );

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Some providers send the claim as a text, and some do not send it at all. What is neither is not verified. */
const isVerified = (value: unknown): boolean => value === undefined || value === true || value === 'true';

/** @throws {UnprovenAddressError} When there is no e-mail address, or one that the provider does not call verified. */
export const toPerson = (claims: Claims, roleClaim: string): Person => {
  const email = textOf(claims['email']);
  if (email === '' || !isVerified(claims['email_verified'])) throw new UnprovenAddressError();
  const given = [valueAt(claims, roleClaim)].flat();
  return {
    email,
    name: textOf(claims['name']) || textOf(claims['preferred_username']) || email,
    roles: given.filter((role) => typeof role === 'string'),
  };
};
