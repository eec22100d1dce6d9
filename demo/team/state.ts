/** The state of the team's page, and its actions: each action calls the service and then reloads the state. */
import { call, TeamApiError, type SignedIn } from './call.ts';
import type { Search } from './explanation.ts';

export interface Ticket {
  id: string;
  conversation_id: string | null;
  subject: string;
  status: 'new' | 'on_you' | 'on_customer' | 'on_hold' | 'closed';
  priority: string;
  assignee_user_id: string | null;
  custom: Record<string, unknown>;
  tags: string[];
  csat_score: number | null;
  csat_comment: string | null;
  state: string | null;
  contact: Contact | null;
  claim: { name?: string; email?: string; externalId?: string } | null;
}

export interface Contact {
  id: string;
  name: string;
  email: string;
  phone: string;
  external_id: string | null;
  verified: boolean;
  marketing_status: string;
}

export interface Field {
  key: string;
  kind: string;
  options: string[];
  [more: string]: unknown;
}

export interface Agent {
  id: string;
  name: string;
  status: 'live' | 'paused' | 'retired';
  public_key: string;
  allowed_origins: string[];
  has_identity_secret: boolean;
  sources: {
    id: string;
    name: string;
    type: string;
    status: string;
    error_message: string | null;
    chunk_count: number;
  }[];
  actions: { id: string; name: string; kind: string; host: string; host_verified: boolean; enabled: boolean }[];
  lead_fields: Field[];
}

export interface Webhook {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  enabled: boolean;
  disabled_reason: string | null;
}

export interface Delivery {
  id: string;
  type: string;
  status: 'pending' | 'succeeded' | 'failed';
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  createdAt: string;
}

export interface Overview {
  agents: Agent[];
  keys: {
    id: string;
    label: string;
    kind: string;
    scopes: string[];
    revoked_at: string | null;
    expires_at: string | null;
  }[];
  members: { id: string; name: string; role: string; ended_at: string | null }[];
  webhooks: Webhook[];
  contacts: Contact[];
  ticket_fields: Field[];
  tag_rules: { words: string; tag: string }[];
  usage: { month: string; plan: string; pool: { included: number; top_ups: number; used: number; remaining: number } };
}

export interface AuditEntry {
  id: string;
  action: string;
  target: string;
  key_id: string | null;
  member_id: string | null;
  detail: Record<string, unknown>;
  created_at: string;
}

export interface DeadLetter {
  id: string;
  event: { type: string; created_at: string };
  endpoint: { url: string };
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  replay_path: string;
}

/** The pages of a list that were read so far. */
export interface Listed<Item> {
  data: Item[];
  next_cursor: string | null;
}

export interface Message {
  id: string;
  content: string;
  actor_type: 'visitor' | 'ai' | 'owner';
  created_at: string;
  search: Search | null;
}

export interface UnansweredQuestion {
  /** The latest wording. */
  question: string;
  wordings: string[];
  count: number;
  refused: number;
  handed_over: number;
  last_at: string;
  search: Search;
}

export const views = ['inbox', 'unanswered', 'agents', 'contacts', 'keys', 'webhooks', 'workspace', 'audit'] as const;
export type View = (typeof views)[number];

export const state = {
  view: 'inbox' as View,
  isOpen: false,
  session: { member: null, can_sign_in: false } as SignedIn,
  tickets: [] as Ticket[],
  requests: [] as { id: string; action: string; inputs: string[]; at: string }[],
  overview: null as Overview | null,
  chosen: null as string | null,
  /** Whether there are further open tickets. */
  has_more: false,
  messages: [] as Message[],
  hasEarlierMessages: false,
  /** The replies that are being written, by the ticket's id. */
  drafts: new Map<string, string>(),
  deliveries: new Map<string, Listed<Delivery>>(),
  /** By the agent's id. */
  unanswered: new Map<string, UnansweredQuestion[]>(),
  unansweredOrder: 'frequent' as 'frequent' | 'recent',
  auditLog: { data: [], next_cursor: null } as Listed<AuditEntry>,
  deadLetters: { data: [], next_cursor: null } as Listed<DeadLetter>,
  /** A key or secret that was just created. The service returns it only once. */
  secret: null as { of: string; value: string } | null,
  said: '',
  problem: '',
  /** Whether the last reload has failed: what is shown may be out of date. */
  isStale: false,
};

/** Renders the page after every change. The page sets the function. */
export const page = { render: () => {} };

/** The most entries that the service returns at once. */
const maxPage = 100;

/** Reads the newest entries of a list again, as many as are shown. A longer list stays as it is. */
const readAgain = async <Item>(path: string, list: Listed<Item>): Promise<void> => {
  const shown = Math.max(20, list.data.length);
  if (shown <= maxPage) Object.assign(list, await call<Listed<Item>>('GET', `${path}?limit=${shown}`));
};

const reload = async (): Promise<void> => {
  const inbox = await call<Pick<typeof state, 'tickets' | 'requests' | 'has_more'>>('GET', '/inbox');
  Object.assign(state, inbox);
  const ticket = state.tickets.find(({ id }) => id === state.chosen);
  if (state.view === 'inbox' && ticket?.conversation_id) {
    const path = `/conversations/${ticket.conversation_id}/messages`;
    const { data, has_more } = await call<{ data: Message[]; has_more: boolean }>('GET', path);
    if (ticket.id === state.chosen) Object.assign(state, { messages: data, hasEarlierMessages: has_more });
  }
  if (state.view !== 'inbox' || !state.overview) state.overview = await call<Overview>('GET', '/overview');
  if (state.view === 'unanswered') {
    for (const { id } of state.overview.agents) {
      const path = `/agents/${id}/unanswered?order=${state.unansweredOrder}`;
      state.unanswered.set(id, (await call<{ data: UnansweredQuestion[] }>('GET', path)).data);
    }
  }
  if (state.view === 'audit') await readAgain('/audit-log', state.auditLog);
  if (state.view === 'webhooks') await readAgain('/dead-letters', state.deadLetters);
  for (const [id, list] of state.deliveries) await readAgain(`/webhooks/${id}/deliveries`, list);
};

/** How many reads have not ended. */
let pending = 0;
let lastRead = Promise.resolve();

/** Reads something of the service after the reads before, and renders the page. Says so when that fails. */
const inTurn = async (read: () => Promise<void>): Promise<void> => {
  pending++;
  lastRead = lastRead
    .then(read)
    .then(
      () => Object.assign(state, { isOpen: true, isStale: false }),
      (error: unknown) => {
        const isRefused = error instanceof TeamApiError && (error.status === 401 || error.status === 403);
        // Without access, only the sign-in is left. Anything else may work the next time.
        if (isRefused || !state.isOpen) Object.assign(state, { isOpen: false, problem: messageOf(error) });
        else state.isStale = true;
      },
    )
    .then(() => page.render());
  await lastRead;
  pending--;
};

/** Reloads the state from the service. */
export const refresh = (): Promise<void> => inTurn(reload);

/** Refreshes unless something is being read already. */
export const poll = async (): Promise<void> => {
  if (pending === 0) await refresh();
};

/** Adds the next page to a list. */
export const readNext = <Item>(path: string, list: Listed<Item>): Promise<void> =>
  inTurn(async () => {
    if (list.next_cursor === null) return;
    const next = await call<Listed<Item>>('GET', `${path}?cursor=${encodeURIComponent(list.next_cursor)}`);
    Object.assign(list, { ...next, data: [...list.data, ...next.data] });
  });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs an action and shows its result or its error. */
export const act = async (done: string, work: () => Promise<unknown>): Promise<boolean> => {
  try {
    await work();
    Object.assign(state, { said: done, problem: '' });
    await refresh();
    return true;
  } catch (error) {
    Object.assign(state, { said: '', problem: messageOf(error) });
    page.render();
    return false;
  }
};

/** The forms whose action has not ended. */
const sending = new WeakSet<HTMLFormElement>();

/**
 * Returns a `submit` handler that passes the form's fields to an action, once at a time. It resets the form on success, unless
 * somebody has typed meanwhile.
 */
export const onSubmit = (done: string, work: (fields: FormData) => Promise<unknown>) => {
  return async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    if (sending.has(form)) return;
    sending.add(form);
    const fields = new FormData(form);
    const isDone = await act(done, () => work(fields));
    sending.delete(form);
    if (isDone && JSON.stringify([...fields]) === JSON.stringify([...new FormData(form)])) form.reset();
  };
};

/** Returns the trimmed text of a field, or an empty string. */
export const text = (fields: FormData, name: string): string => {
  const value = fields.get(name);
  return typeof value === 'string' ? value.trim() : '';
};
