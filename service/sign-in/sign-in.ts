/** The sign-in to the team page with an OpenID provider. */
import type { Encryption } from '../core/encryption.ts';
import { createProvider, type Provider } from './provider.ts';
import { createSignInCookies, type SignInCookies } from './session.ts';
import type { SignInSettings } from './settings.ts';

export interface SignIn {
  provider: Provider;
  cookies: SignInCookies;
  /** The workspace whose members sign in. */
  workspaceId: string;
  /** The address of the team page, and its origin, from which the cookie of the session is accepted. */
  teamUrl: string;
  teamOrigin: string;
}

export interface SignInContext {
  settings: SignInSettings;
  workspaceId: string;
  encryption: Encryption;
  now: () => number;
}

export const createSignIn = ({ settings, workspaceId, encryption, now }: SignInContext): SignIn => {
  const { teamUrl, redirectUrl } = settings;
  return {
    provider: createProvider(settings),
    cookies: createSignInCookies({ encryption, now, redirectUrl }),
    workspaceId,
    teamUrl,
    teamOrigin: new URL(teamUrl).origin,
  };
};
