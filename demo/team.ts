/** The script of the team's page: a small dashboard with the inbox and the settings of the workspace. */
import { html, nothing, render } from 'lit';
import { agents } from './team/agents.ts';
import { call, readSession, session, signInUrl } from './team/call.ts';
import { keys, webhooks } from './team/developers.ts';
import { inbox } from './team/inbox.ts';
import { auditLog } from './team/pages.ts';
import { refresh, page, poll, state, text, views, type View } from './team/state.ts';
import { currentLanguage, say, setLanguage, type Language, type Text } from './team/texts.ts';
import { unanswered } from './team/unanswered.ts';
import { contacts, workspace } from './team/workspace.ts';

const refreshInterval = 2000;
const viewRenderers = { inbox, unanswered, agents, contacts, keys, webhooks, workspace, audit: auditLog };
const titles: Record<View, Text> = {
  inbox: 'Inbox',
  unanswered: 'Unanswered',
  agents: 'Agents',
  contacts: 'Contacts',
  keys: 'Keys',
  webhooks: 'Webhooks',
  workspace: 'Workspace',
  audit: 'Audit log',
};
/** The views that have Arabic texts. */
const translated: View[] = ['inbox', 'unanswered'];
const root = document.getElementById('team')!;

const viewOf = (hash: string): View => views.find((view) => `#${view}` === hash) ?? 'inbox';

/** The reasons in the address to which a sign-in that has failed returns. */
const failures = ['no_role', 'former_member', 'expired', 'failed'] as const;

const failureOfAddress = (): string => {
  const given = new URLSearchParams(location.search).get('sign-in');
  const failure = failures.find((each) => each === given);
  return failure ? say(failure) : '';
};

const otherLanguage = (): Language => (currentLanguage() === 'ar' ? 'en' : 'ar');

const switchLanguage = (): void => {
  setLanguage(otherLanguage());
  page.render();
};

const languageButton = () =>
  html`<button type="button" id="language" lang=${otherLanguage()} @click=${switchLanguage}>
    ${otherLanguage() === 'ar' ? 'العربية' : 'English'}
  </button>`;

const keyForm = () =>
  html`<form
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      const fields = new FormData(event.currentTarget as HTMLFormElement);
      session.key = text(fields, 'key');
      sessionStorage.setItem('team-key', session.key);
      void refresh();
    }}
  >
    <label>
      ${say('The workspace’s secret key, printed in the terminal')}
      <input name="key" type="password" autocomplete="off" required placeholder="svc_sk_…" dir="ltr" />
    </label>
    <button class="main">${say('Open the inbox')}</button>
  </form>`;

const signIn = () =>
  html`<main id="sign-in">
    <div class="row spread">
      <h1>${say('Palm & Clay’s team')}</h1>
      ${languageButton()}
    </div>
    ${
      state.session.can_sign_in
        ? html`<a class="main" href=${signInUrl}>${say('Sign in')}</a>
            <details>
              <summary>${say('With a secret key')}</summary>
              ${keyForm()}
            </details>`
        : keyForm()
    }
    <p role="alert">${state.problem || failureOfAddress()}</p>
  </main>`;

const signOut = async (): Promise<void> => {
  // The refresh would be refused meanwhile.
  state.isOpen = false;
  await call('POST', '/sign-out');
  location.assign(location.pathname);
};

const mainPart = () => {
  const isTranslated = translated.includes(state.view);
  return html`<main lang=${isTranslated ? currentLanguage() : 'en'} dir=${isTranslated ? nothing : 'ltr'}>
    ${viewRenderers[state.view]()}
  </main>`;
};

page.render = () => {
  document.title = `${say(state.isOpen ? titles[state.view] : 'Sign in')} · ${say('Palm & Clay')}`;
  const list = root.querySelector('#messages');
  const wasAtEnd = !list || list.scrollHeight - list.scrollTop - list.clientHeight < 8;
  const waiting = state.tickets.filter(({ status }) => status === 'new' || status === 'on_you').length;
  const problem = state.isStale ? say('The service does not respond. Trying again…') : state.problem;
  render(
    state.isOpen
      ? html`<nav aria-label=${say('Dashboard')}>
            ${views.map(
              (view) =>
                html`<a href="#${view}" aria-current=${view === state.view ? 'page' : nothing}>
                  ${say(titles[view])}${view === 'inbox' && waiting > 0 ? html` <span class="badge" data-tone="on_you">${waiting}</span>` : nothing}
                </a>`,
            )}
            ${languageButton()}
            ${
              state.session.member
                ? html`<button type="button" title=${state.session.member.email} @click=${signOut}>
                    <bdi>${state.session.member.name}</bdi> · ${say('Sign out')}
                  </button>`
                : nothing
            }
          </nav>
          ${mainPart()}
          <p id="said" role="status" data-tone=${problem ? 'failed' : nothing}>${problem || state.said}</p>`
      : signIn(),
    root,
  );
  const now = root.querySelector('#messages');
  if (now && (wasAtEnd || now !== list)) now.scrollTop = now.scrollHeight;
};

addEventListener('hashchange', () => {
  Object.assign(state, { view: viewOf(location.hash), chosen: null, said: '', problem: '', secret: null });
  state.deliveries.clear();
  void refresh();
});

state.view = viewOf(location.hash);
if (!session.key) state.session = await readSession();
if (session.key || state.session.member) await refresh();
else page.render();
setInterval(() => {
  if (state.isOpen && document.visibilityState === 'visible') void poll();
}, refreshInterval);
