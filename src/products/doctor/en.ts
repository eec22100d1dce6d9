/** The doctor's sentences in English. */
import type { DoctorSentences } from './sentences.ts';

const whereKeysAre = 'The dashboard makes keys: Settings, Developers.';

export const sentences: DoctorSentences = {
  checks: {
    settings: 'Settings',
    transport: 'HTTPS',
    policy: 'Content Security Policy',
    service: 'Service',
    origin: 'This site’s permission',
    key: 'Key',
    agent: 'Agent',
    storage: 'Browser storage',
  },
  states: { ok: 'OK', problem: 'Problem', unknown: 'Could not tell' },
  summary: (problems) =>
    problems === 0 ? 'No problem found.' : problems === 1 ? 'One problem found.' : `${problems} problems found.`,
  note: 'The failed requests that the browser logged meanwhile are the doctor’s own: it asks what must be refused.',
  findings: {
    settings_ok: () => ({ says: 'The address, the key and the agent are set, and each has the right form.' }),
    base_url_missing: () => ({
      says: 'The service’s address is missing.',
      todo: 'Set “base-url”, with its version prefix, such as https://api.example/api/v2.',
    }),
    base_url_invalid: () => ({
      says: 'The service’s address is not an http(s) address.',
      todo: 'Set “base-url” to an address such as https://api.example/api/v2.',
    }),
    key_missing: () => ({
      says: 'The key is missing.',
      todo: `Set “publishable-key” to a publishable key (svc_pk_…). ${whereKeysAre}`,
    }),
    key_secret: () => ({
      says: 'This is a secret key (svc_sk_…). It was not sent anywhere by the chat, but whoever opens this page can read it.',
      todo: `Revoke it now, and use a publishable key (svc_pk_…). ${whereKeysAre}`,
    }),
    key_website: () => ({
      says: 'This is an agent’s website key (pk_…), which belongs into another snippet.',
      todo: `Use a publishable key of the workspace (svc_pk_…). ${whereKeysAre}`,
    }),
    key_unknown: () => ({
      says: 'This is not a publishable key: it does not begin with svc_pk_.',
      todo: `Copy the key again, whole. ${whereKeysAre}`,
    }),
    agent_missing: () => ({
      says: 'The agent is missing.',
      todo: 'Set “agent-id” to the id of one of the workspace’s agents.',
    }),
    transport_ok: () => ({ says: 'The browser may call the service from this page.' }),
    mixed_content: ({ service }) => ({
      says: `This page is on HTTPS and the service’s address is not: the browser blocks calls to ${service}.`,
      todo: 'Begin “base-url” with https://.',
    }),
    policy_ok: () => ({ says: 'The page’s policy stops nothing that the chat needs.' }),
    policy_blocks: ({ directive, source }) => ({
      says: 'The page’s Content-Security-Policy stops the chat.',
      todo: `Add to the policy, in ${directive}: ${source}`,
    }),
    service_ok: ({ service }) => ({ says: `The service at ${service} answers.` }),
    service_unread: ({ service }) => ({
      says: `Something answers at ${service}, but this page may not read what: the service, which refuses this site, or something else.`,
    }),
    offline: () => ({ says: 'This browser is offline.', todo: 'Connect, and examine again.' }),
    unreachable: ({ service }) => ({
      says: `Nothing answers at ${service}.`,
      todo: 'Check the address for a typing error and whether the service is up; a firewall or a browser extension may also be in the way.',
    }),
    redirected: ({ baseUrl }) => ({
      says: `${baseUrl} sends on to another address, and a call does not follow.`,
      todo: 'Set “base-url” to the final address: often https:// for http://, or the right host.',
    }),
    wrong_address: ({ baseUrl, status }) => ({
      says: `Something answers at ${baseUrl} (HTTP ${status}), but not the service: perhaps a website.`,
      todo: 'Set “base-url” to the service’s address, with its version prefix, such as https://api.example/api/v2.',
    }),
    prefix_wrong: ({ baseUrl }) => ({
      says: `The service answers at ${baseUrl}, but knows nothing below it (HTTP 404).`,
      todo: 'End “base-url” with the version prefix, such as /api/v2.',
    }),
    service_failing: ({ status }) => ({
      says: `The service has a fault of its own (HTTP ${status}).`,
      todo: 'Examine again in a few minutes. If it stays, tell the service’s support.',
    }),
    origin_ok: ({ origin }) => ({ says: `${origin} may ask this agent.` }),
    origin_local: () => ({
      says: 'This page may ask. Pages on one’s own computer usually may, so examine your real site as well.',
    }),
    origin_refused: ({ origin, agentId }) => ({
      says: `${origin} may read nothing of what is answered: this site is not among the websites of the agent, or there is no agent ${agentId}, or the address is not the service’s.`,
      todo: `Add ${origin} to the agent’s allowed websites in the dashboard; check “agent-id”, and “base-url” with its version prefix.`,
    }),
    key_ok: () => ({ says: 'The service takes the key for chats.' }),
    invalid_key: () => ({
      says: 'The service does not know this key, or it was revoked.',
      todo: `Copy the key again, whole, or make a new one. ${whereKeysAre}`,
    }),
    expired_key: () => ({ says: 'The key has expired.', todo: `Make a new publishable key. ${whereKeysAre}` }),
    key_maker_left: () => ({
      says: 'Whoever made the key is no longer in the workspace, and the key ended with that.',
      todo: `Somebody who stays makes a new publishable key. ${whereKeysAre}`,
    }),
    maker_role_limit: () => ({
      says: 'The role of the teammate who made the key does not allow chats any more.',
      todo: `A teammate with a wider role makes a new publishable key. ${whereKeysAre}`,
    }),
    insufficient_scope: () => ({
      says: 'The key may not chat: it lacks the scope “chat”.',
      todo: `Make a publishable key with the scope “chat”. ${whereKeysAre}`,
    }),
    plan_required: () => ({ says: 'The workspace’s plan has no API.', todo: 'Move to a plan that has it.' }),
    rate_limited: () => ({
      says: 'There were too many calls from here in this minute.',
      todo: 'Wait a minute and examine again.',
    }),
    agent_ok: () => ({ says: 'The agent has answered a question.' }),
    agent_unasked: () => ({
      says: 'Nothing speaks against this agent. Whether it answers only a real question tells, which counts as a conversation.',
      todo: 'Ask one, if you like: WorkspaceChat("doctor", { ask: true }).',
    }),
    agent_unknown: ({ agentId }) => ({
      says: `The workspace of this key has no agent ${agentId}, or the key does not reach it.`,
      todo: 'Copy the agent’s id again from the dashboard, of the same workspace as the key.',
    }),
    agent_paused: () => ({ says: 'The agent is paused.', todo: 'Switch it on in the dashboard.' }),
    answer_failed: ({ status, answer }) => ({
      says: `The agent did not answer the question (${answer || (status ? `HTTP ${status}` : 'no answer')}).`,
      todo: 'Examine again in a few minutes. If it stays, tell the service’s support.',
    }),
    storage_ok: () => ({ says: 'The conversation is kept from page to page.' }),
    storage_blocked: () => ({
      says: 'The browser keeps nothing for this page: private browsing, blocked site data or a sandboxed frame. The chat works, but forgets the conversation when the page is left.',
      todo: 'In a sandboxed frame, add allow-same-origin. Otherwise it is the visitor’s own setting.',
    }),
    not_examined: () => ({ says: 'This could not be examined. Settle what is wrong elsewhere first.' }),
  },
};
