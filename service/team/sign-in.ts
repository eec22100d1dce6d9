/** The session of the team page: the way to the OpenID provider and back, who has signed in, and the end of the session. */
import type { Context } from 'hono';
import { errorText, type Log } from '../core/log.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { describeFailure } from '../sign-in/failure.ts';
import { admitMember, endSessions, type Refusal } from '../sign-in/member.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import { memberOfSession } from './authorize.ts';
import type { TeamApp, TeamEnvironment } from './environment.ts';

/** Why a sign-in has failed, as the team page reads it in its address. */
type Failure = Refusal | 'expired' | 'failed';

/** These calls need no key. */
export const signInRoutes = (app: TeamApp, dependencies: Dependencies): void => {
  const { signIn } = dependencies;
  app.get('/session', async (context) => {
    const found = await memberOfSession(dependencies, context);
    const { name, role, email } = found?.member ?? {};
    return context.json({ member: found ? { name, role, email } : null, can_sign_in: signIn !== undefined });
  });
  if (!signIn) return;
  app.get('/sign-in', (context) => begin(dependencies, signIn, context));
  app.get('/sign-in/callback', (context) => finish(dependencies, signIn, context));
  app.post('/sign-out', (context) => end(dependencies, signIn, context));
};

const end = async (dependencies: Dependencies, signIn: SignIn, context: Context<TeamEnvironment>) => {
  // A page of another site cannot sign a member out: it has neither the origin nor the right to send JSON.
  if (context.req.header('origin') === signIn.teamOrigin) {
    // Also where the database does not respond.
    signIn.cookies.session.remove(context);
    const found = await memberOfSession(dependencies, context);
    if (found) {
      await endSessions(dependencies.db, found.member.id);
      dependencies.log({ level: 'info', event: 'signed_out', member_id: found.member.id });
    }
  }
  return context.body(null, 204);
};

const begin = async ({ log }: Dependencies, signIn: SignIn, context: Context): Promise<Response> => {
  try {
    const { url, checks } = await signIn.provider.begin();
    signIn.cookies.attempts.begin(context, checks);
    return context.redirect(url);
  } catch (error) {
    logFailure(log, 'begin', error);
    return fail(signIn, context, 'failed');
  }
};

const finish = async ({ db, now, log }: Dependencies, signIn: SignIn, context: Context): Promise<Response> => {
  const expected = signIn.cookies.attempts.take(context, context.req.query('state') ?? '');
  if (!expected) return fail(signIn, context, 'expired');
  try {
    const person = await signIn.provider.finish(new URL(context.req.url).search, expected);
    const admitted = await admitMember(db, signIn.workspaceId, person, new Date(now()));
    if ('refusal' in admitted) {
      log({ level: 'warn', event: 'sign_in_refused', reason: admitted.refusal });
      return fail(signIn, context, admitted.refusal);
    }
    signIn.cookies.session.write(context, admitted);
    log({ level: 'info', event: 'signed_in', member_id: admitted.memberId });
    return context.redirect(signIn.teamUrl);
  } catch (error) {
    logFailure(log, 'finish', error);
    return fail(signIn, context, 'failed');
  }
};

/** A person who cancels, or whom the provider refuses, is no error of the installation. */
const logFailure = (log: Log, step: 'begin' | 'finish', error: unknown): void => {
  const { isRefusal, ...why } = describeFailure(error);
  if (isRefusal) log({ level: 'warn', event: 'sign_in_refused', ...why });
  else log({ level: 'error', event: 'sign_in_failed', step, ...why, error: errorText(error) });
};

const fail = ({ teamUrl }: SignIn, context: Context, failure: Failure): Response => {
  const url = new URL(teamUrl);
  url.searchParams.set('sign-in', failure);
  return context.redirect(url.href);
};
