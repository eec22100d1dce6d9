/** The views for developers: API keys, and webhook endpoints with their deliveries. */
import { html, nothing } from 'lit';
import { eventScopes, scopes } from '@workspace-chat/service/catalog';
import { call } from './call.ts';
import { deadLetters, older } from './pages.ts';
import { secretOf } from './secret.ts';
import { act, refresh, onSubmit, state, text, type Delivery, type Listed, type Webhook } from './state.ts';

export const keys = () => {
  return html`<h1>Keys</h1>
    <ul class="lines panel">
      ${state.overview?.keys.map(
        ({ id, label, kind, scopes: may, revoked_at: revoked, expires_at: end }) =>
          html`<li>
            <bdi>${label}</bdi>
            <small class="muted">${kind} · ${may.length === scopes.length ? 'everything' : may.join(', ')}</small>
            ${
              revoked || (end && Date.parse(end) <= Date.now())
                ? html`<span class="badge" data-tone="failed">${revoked ? 'revoked' : 'expired'}</span>`
                : html`<button
                    type="button"
                    aria-label="Revoke ${label}"
                    @click=${() => act('Revoked.', () => call('DELETE', `/keys/${id}`))}
                  >
                    Revoke
                  </button>`
            }
          </li>`,
      )}
    </ul>
    <form class="panel" @submit=${onSubmit('The key was created.', createKey)}>
      <h2>Create a key</h2>
      <div class="grid">
        <label>What it is for <input name="label" dir="auto" required maxlength="100" /></label>
        <label>
          Kind
          <select name="kind">
            <option value="secret">secret, for servers</option>
            <option value="publishable">publishable, for pages and apps</option>
          </select>
        </label>
        <label>
          Agents
          <select name="agent">
            <option value="">all agents</option>
            ${state.overview?.agents.map(({ id, name }) => html`<option value=${id}>${name}</option>`)}
          </select>
        </label>
        <label>Expires <input type="date" name="until" /></label>
      </div>
      <fieldset>
        <legend>Scopes</legend>
        <div class="ticks">
          ${scopes.map(
            (scope) => html`<label class="tick"><input type="checkbox" name="scope" value=${scope} /> ${scope}</label>`,
          )}
        </div>
      </fieldset>
      <button class="main">Make the key</button>
      ${secretOf('key')}
    </form>`;
};

const createKey = async (fields: FormData): Promise<void> => {
  const until = text(fields, 'until');
  const { key } = await call<{ key: string }>('POST', '/keys', {
    label: text(fields, 'label'),
    kind: text(fields, 'kind'),
    scopes: fields.getAll('scope'),
    agent_ids: text(fields, 'agent') === '' ? null : [text(fields, 'agent')],
    expires_at: until === '' ? null : new Date(until).toISOString(),
  });
  state.secret = { of: 'key', value: key };
};

export const webhooks = () => {
  return html`<h1>Webhooks</h1>
    ${
      state.overview?.webhooks.length === 0
        ? html`<p class="muted">No endpoint yet. Subscribe endpoints through the API.</p>`
        : nothing
    }
    ${state.overview?.webhooks.map(endpointPanel)} ${deadLetters()}
    <form
      class="panel"
      @submit=${onSubmit('campaign.sent was sent.', (fields) =>
        call('POST', '/campaigns', { name: text(fields, 'name'), recipients: Number(fields.get('recipients')) }),
      )}
    >
      <h2>Test a webhook</h2>
      <div class="row">
        <label>A campaign called <input name="name" dir="auto" required /></label>
        <label>to so many people <input type="number" name="recipients" min="0" value="1" required /></label>
        <button>Send campaign.sent</button>
      </div>
      <p class="muted">
        Every endpoint that subscribed to one of the ${Object.keys(eventScopes).length} events receives it, with a
        signature.
      </p>
    </form>`;
};

const endpointPanel = ({ id, url, events, description, enabled, disabled_reason: reason }: Webhook) => {
  const path = `/webhooks/${id}`;
  const deliveries = state.deliveries.get(id);
  return html`<article class="panel">
    <header class="row spread">
      <h2 class="url"><bdi>${description ?? url}</bdi></h2>
      <span class="badge" data-tone=${enabled ? 'live' : 'failed'}>${enabled ? 'on' : `off: ${reason}`}</span>
    </header>
    <p class="muted"><bdi>${url}</bdi><br />${events.join(', ')}</p>
    <span class="row">
      <button
        type="button"
        @click=${() => act(enabled ? 'Switched off.' : 'Switched on.', () => call('PATCH', path, { enabled: !enabled }))}
      >
        ${enabled ? 'Switch off' : 'Switch on'}
      </button>
      <button type="button" @click=${() => act('webhook.test was sent.', () => call('POST', `${path}/test`))}>
        Send webhook.test
      </button>
      <button
        type="button"
        aria-expanded=${deliveries !== undefined}
        @click=${() => {
          if (deliveries) state.deliveries.delete(id);
          else state.deliveries.set(id, { data: [], next_cursor: null });
          void refresh();
        }}
      >
        Deliveries
      </button>
    </span>
    ${deliveries ? deliveryLog(path, deliveries) : nothing}
  </article>`;
};

const deliveryLog = (path: string, deliveries: Listed<Delivery>) => {
  if (deliveries.data.length === 0) return html`<p class="muted">Nothing was delivered yet.</p>`;
  return html`<ul class="lines deliveries">
      ${deliveries.data.map(
        ({ id, type, status, attempts, lastStatus, lastError, createdAt }) =>
          html`<li>
            <span>${type}</span>
            <small class="muted"
              >${new Date(createdAt).toLocaleString()} · ${attempts}× ${lastStatus ?? ''} ${lastError ?? ''}</small
            >
            <span class="badge" data-tone=${status}>${status}</span>
            <button
              type="button"
              aria-label="Replay ${type}"
              ?disabled=${status === 'pending'}
              @click=${() => act('The event is being delivered again.', () => call('POST', `${path}/deliveries/${id}/replay`))}
            >
              Replay
            </button>
          </li>`,
      )}
    </ul>
    ${older(`${path}/deliveries`, deliveries)}`;
};
