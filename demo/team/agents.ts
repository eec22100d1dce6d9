/** The view of the agents: status, identity secret, knowledge, actions and lead fields. */
import { html, nothing } from 'lit';
import { baseUrl, call } from './call.ts';
import { editor, type Column } from './fields.ts';
import { readFile } from './file-text.ts';
import { secretOf } from './secret.ts';
import { act, onSubmit, state, text, type Agent } from './state.ts';

const moves = [
  ['live', 'Go live'],
  ['paused', 'Pause'],
  ['retired', 'Retire'],
] as const;

const leadColumns: Column[] = [
  { name: 'key', label: 'Key', required: true },
  { name: 'label_en', label: 'English', required: true },
  { name: 'label_ar', label: 'Arabic' },
  { name: 'kind', label: 'Kind', kind: ['text', 'email', 'phone', 'number', 'date', 'select'] },
  { name: 'options', label: 'Options', kind: 'list' },
  { name: 'ask_when', label: 'Asked', kind: ['always', 'if_missing'] },
  { name: 'required', label: 'Required', kind: 'tick' },
];

export const agents = () => {
  return html`<h1>Agents</h1>
    ${state.overview?.agents.map(agentPanel)} ${newAgent()}`;
};

const newAgent = () => {
  return html`<form
    class="panel"
    @submit=${onSubmit('The agent was created.', (fields) =>
      call('POST', '/agents', {
        name: text(fields, 'name'),
        language: text(fields, 'language'),
        time_zone: text(fields, 'zone'),
      }),
    )}
  >
    <h2>Create an agent</h2>
    <div class="grid">
      <label>Its name <input name="name" dir="auto" required maxlength="120" /></label>
      <label>
        Its language
        <select name="language">
          ${['bilingual', 'english', 'arabic'].map((language) => html`<option>${language}</option>`)}
        </select>
      </label>
      <label>
        Its time zone
        <input name="zone" value=${Intl.DateTimeFormat().resolvedOptions().timeZone} required />
      </label>
    </div>
    <button class="main">Create the agent</button>
  </form>`;
};

const agentPanel = (agent: Agent) => {
  const { id, name, status, public_key: publicKey } = agent;
  const path = `/agents/${id}`;
  return html`<article class="panel">
    <header class="row spread">
      <h2>${name} <span class="badge" data-tone=${status}>${status}</span></h2>
      <span class="row">
        ${moves
          .filter(([to]) => to !== status)
          .map(
            ([to, label]) =>
              html`<button
                type="button"
                @click=${() => act(`${name} is ${to}.`, () => call('PATCH', path, { status: to }))}
              >
                ${label}
              </button>`,
          )}
      </span>
    </header>
    <p class="muted"><code>${id}</code> · <code>${publicKey}</code></p>

    ${website(agent, path)} ${identitySecret(agent, path)} ${knowledge(agent, path)} ${actions(agent, path)}
    ${leadFields(agent, path)} ${webhookTest(path)}
  </article>`;
};

/** What the site's owner needs for the installer, and the websites on which the chat works. */
const website = ({ id, name, allowed_origins: origins }: Agent, path: string) => {
  return html`<h3>For your website</h3>
    <dl class="values">
      <dt>Address of the API</dt>
      <dd><code>${baseUrl}</code></dd>
      <dt>Publishable key</dt>
      <dd>Create one under <a href="#keys">Keys</a>. It is shown once.</dd>
      <dt>Agent id</dt>
      <dd><code>${id}</code></dd>
    </dl>
    <form
      @submit=${onSubmit(`The websites of ${name} were saved.`, (fields) =>
        call('PATCH', path, { allowed_origins: text(fields, 'origins').split(/\s+/).filter(Boolean) }),
      )}
    >
      <label>
        Allowed websites, one on each line
        <textarea
          name="origins"
          rows="3"
          placeholder="https://www.your-site.example"
          .defaultValue=${origins.join('\n')}
        ></textarea>
      </label>
      <button>Save the websites</button>
    </form>`;
};

const identitySecret = (agent: Agent, path: string) => {
  return html`<h3>Identity secret</h3>
    <form
      class="row"
      @submit=${onSubmit('The identity secret was created.', async (fields) => {
        const ends = fields.get('end') !== null;
        const { secret } = await call<{ secret: string }>('POST', `${path}/identity-secret`, { end_previous: ends });
        state.secret = { of: agent.id, value: secret };
      })}
    >
      <label class="tick"><input type="checkbox" name="end" /> End the previous one at once</label>
      <button>${agent.has_identity_secret ? 'Rotate the secret' : 'Create a secret'}</button>
    </form>
    ${secretOf(agent.id)}`;
};

const knowledge = (agent: Agent, path: string) => {
  return html`<h3>Knowledge</h3>
    <ul class="lines">
      ${agent.sources.map(
        (source) =>
          html`<li>
            <bdi>${source.name}</bdi> <small class="muted">${source.type}</small>
            <span class="badge" data-tone=${source.status}>${source.status}</span> ${
              source.error_message ? html`<small>${source.error_message}</small>` : nothing
            }
          </li>`,
      )}
    </ul>
    <form
      class="row"
      @submit=${onSubmit('Added: it is being indexed.', async (fields) => {
        const file = fields.get('file') as File;
        await call('POST', `${path}/sources`, { type: 'file', name: file.name, text: await readFile(file) });
      })}
    >
      <label>A file <input type="file" name="file" accept=".txt,.md,.csv,.html,.htm,text/*" required /></label>
      <button>Add the file</button>
    </form>
    <form
      class="row"
      @submit=${onSubmit('The website was added and is being read.', (fields) =>
        call('POST', `${path}/sources`, { type: 'website', url: text(fields, 'url') }),
      )}
    >
      <label>A website <input type="url" name="url" placeholder="https://" required /></label>
      <button>Add the website</button>
    </form>`;
};

const actions = (agent: Agent, path: string) => {
  return html`<h3>Actions</h3>
    ${agent.actions.length === 0 ? html`<p class="muted">None. Create actions through the API.</p>` : nothing}
    <ul class="lines">
      ${agent.actions.map(
        ({ id: action, name: called, kind, host, host_verified: verified, enabled }) =>
          html`<li>
            <span>${called}</span> <small class="muted">${kind}${host ? ` · ${host}` : ''}</small>
            <span class="badge" data-tone=${enabled ? 'live' : ''}>${enabled ? 'on' : 'off'}</span>
            ${
              kind === 'http' && !verified
                ? html`<button
                    type="button"
                    aria-label="Verify the host of ${called}"
                    @click=${() => act('The host is yours.', () => verify(`${path}/actions/${action}`))}
                  >
                    Verify the host
                  </button>`
                : nothing
            }
          </li>`,
      )}
    </ul>`;
};

const leadFields = (agent: Agent, path: string) => {
  return html`<h3>Lead fields</h3>
    ${editor({ id: agent.id, name: `Lead field of ${agent.name}` }, agent.lead_fields, leadColumns, (fields) =>
      call('POST', `${path}/lead-fields`, { fields }),
    )}`;
};

const webhookTest = (path: string) => {
  return html`<h3>Test a webhook</h3>
    <form
      class="row"
      @submit=${onSubmit('voice.session.ended was sent.', (fields) =>
        call('POST', `${path}/voice-sessions`, { duration_seconds: Number(fields.get('seconds')) }),
      )}
    >
      <label>Length of the call in seconds <input type="number" name="seconds" min="0" value="60" required /></label>
      <button>Send voice.session.ended</button>
    </form>`;
};

const verify = async (path: string): Promise<void> => {
  const { host_verified: isVerified } = await call<{ host_verified: boolean }>('POST', `${path}/verify-host`);
  if (!isVerified) {
    throw new Error(
      'Not verified: the host does not show the agent’s public key at /.well-known/workspace-assistant.txt.',
    );
  }
};
