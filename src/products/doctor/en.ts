/** The doctor's strings in English. */
import type { DoctorSentences } from './sentences.ts';

const createKeys = 'You create keys in the dashboard, under Settings, Developers.';
const setUrl = 'Set “base-url” to the service’s URL with the version prefix, such as https://api.example/api/v2.';
const tryLater = 'Try again in a few minutes. If the error persists, contact the service’s support.';

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
    languages: 'Languages',
    page: 'Page',
    attributes: 'Attributes',
    theme: 'Theme',
  },
  states: { ok: 'OK', problem: 'Problem', unknown: 'Unknown' },
  summary: (problems) =>
    problems === 0 ? 'No problem found.' : problems === 1 ? 'One problem found.' : `${problems} problems found.`,
  note: 'The failed requests in the browser’s log are the doctor’s: the service must reject them.',
  findings: {
    settings_ok: () => ({ message: 'The URL, the key and the agent are set and have the right format.' }),
    base_url_missing: () => ({
      message: 'The service’s URL is missing.',
      fix: setUrl,
    }),
    base_url_quoted: () => ({
      message: 'The service’s URL has quotation marks around it.',
      fix: 'Remove the quotation marks that are a part of “base-url”.',
    }),
    base_url_invalid: () => ({
      message: 'The service’s URL is not an http(s) URL, or it is an example.',
      fix: setUrl,
    }),
    key_missing: () => ({
      message: 'The key is missing.',
      fix: `Set “publishable-key” to a publishable key (svc_pk_…). ${createKeys}`,
    }),
    key_secret: () => ({
      message:
        'This is a secret key (svc_sk_…). The chat has not sent it, but everybody who opens this page can read it.',
      fix: `Revoke it now, and use a publishable key (svc_pk_…). ${createKeys}`,
    }),
    key_website: () => ({
      message: 'This is an agent’s website key (pk_…), which belongs to another snippet.',
      fix: `Use a publishable key of the workspace (svc_pk_…). ${createKeys}`,
    }),
    key_unknown: () => ({
      message: 'This is not a publishable key: it does not start with svc_pk_.',
      fix: `Copy the whole key again. ${createKeys}`,
    }),
    key_quoted: () => ({
      message: 'The key has quotation marks around it.',
      fix: 'Remove the quotation marks that are a part of “publishable-key”.',
    }),
    key_example: () => ({
      message: 'This is the example key from the docs, or a part of it.',
      fix: `Put your own key here. ${createKeys}`,
    }),
    agent_quoted: () => ({
      message: 'The id of the agent has quotation marks around it.',
      fix: 'Remove the quotation marks that are a part of “agent-id”.',
    }),
    agent_example: () => ({
      message: 'This is the example agent from the docs, or a part of it.',
      fix: 'Put the id of one of the workspace’s agents here.',
    }),
    agent_missing: () => ({
      message: 'The agent is missing.',
      fix: 'Set “agent-id” to the id of one of the workspace’s agents.',
    }),
    transport_ok: () => ({ message: 'The browser allows requests to the service from this page.' }),
    mixed_content: ({ service }) => ({
      message: `This page uses HTTPS and the service’s URL does not, so the browser blocks requests to ${service}.`,
      fix: 'Start “base-url” with https://.',
    }),
    policy_ok: () => ({ message: 'The page’s policy allows everything that the chat needs.' }),
    policy_blocks: ({ directive, source }) => ({
      message: 'The page’s Content-Security-Policy blocks the chat.',
      fix: `Add to the policy, in ${directive}: ${source}`,
    }),
    service_ok: ({ service }) => ({ message: `The service at ${service} responds.` }),
    service_unread: ({ service }) => ({
      message: `${service} responds, but this page cannot read the response: either the service rejects this site, or it is another server.`,
    }),
    offline: () => ({ message: 'This browser is offline.', fix: 'Connect to the internet and try again.' }),
    unreachable: ({ service }) => ({
      message: `${service} does not respond.`,
      fix: 'Check the URL for typos, and whether the service runs. A firewall or an extension may block it.',
    }),
    base_url_example: ({ service }) => ({
      message: `${service} is the example address from the docs.`,
      fix: setUrl,
    }),
    redirected: ({ baseUrl }) => ({
      message: `${baseUrl} redirects to another URL, and requests do not follow redirects.`,
      fix: 'Set “base-url” to the final URL.',
    }),
    wrong_address: ({ baseUrl, status }) => ({
      message: `${baseUrl} responds (HTTP ${status}), but it is not the service. It may be a website.`,
      fix: setUrl,
    }),
    prefix_wrong: ({ baseUrl }) => ({
      message: `The service responds at ${baseUrl}, but finds no resources below it (HTTP 404).`,
      fix: 'End “base-url” with the version prefix, such as /api/v2.',
    }),
    service_failing: ({ status }) => ({
      message: `The service reports an internal error (HTTP ${status}).`,
      fix: tryLater,
    }),
    origin_ok: ({ origin }) => ({ message: `${origin} is allowed to call this agent.` }),
    origin_local: () => ({
      message: 'This page is allowed to call the agent. Local pages usually are, so check your real site as well.',
    }),
    origin_rejected: ({ origin, agentId }) => ({
      message: `${origin} cannot read the responses: the site is not an allowed website of the agent, there is no agent ${agentId}, or the URL redirects or is not the service’s.`,
      fix: `Add ${origin} to the agent’s allowed websites in the dashboard. Check “agent-id”, and “base-url” with its version prefix.`,
    }),
    key_ok: () => ({ message: 'The service accepts the key for chats.' }),
    invalid_key: () => ({
      message: 'The service does not know this key, or it was revoked.',
      fix: `Copy the whole key again, or create a new one. ${createKeys}`,
    }),
    expired_key: () => ({ message: 'The key has expired.', fix: `Create a new publishable key. ${createKeys}` }),
    key_maker_left: () => ({
      message: 'The teammate who created the key has left the workspace, so the key no longer works.',
      fix: `Ask another teammate to create a new publishable key. ${createKeys}`,
    }),
    maker_role_limit: () => ({
      message: 'The role of the teammate who created the key no longer allows chats.',
      fix: `Ask a teammate with more permissions to create a new publishable key. ${createKeys}`,
    }),
    insufficient_scope: () => ({
      message: 'The key lacks the scope “chat”.',
      fix: `Create a publishable key with the scope “chat”. ${createKeys}`,
    }),
    plan_required: () => ({
      message: 'The workspace’s plan does not include the API.',
      fix: 'Choose a plan that includes the API.',
    }),
    rate_limited: () => ({
      message: 'There were too many requests from this network in the last minute.',
      fix: 'Wait a minute and try again.',
    }),
    agent_ok: () => ({ message: 'The agent has replied to a question.' }),
    agent_not_asked: () => ({
      message: 'Only a real question, which counts as a conversation, shows whether the agent replies.',
      fix: 'To ask one, run WorkspaceChat("doctor", { ask: true }).',
    }),
    agent_unknown: ({ agentId }) => ({
      message: `The workspace of this key has no agent ${agentId}, or the key has no access to it.`,
      fix: 'Copy the agent’s id again from the dashboard of the workspace to which the key belongs.',
    }),
    agent_paused: () => ({ message: 'The agent is paused.', fix: 'Switch it on in the dashboard.' }),
    question_failed: ({ status, response }) => ({
      message: `The agent did not reply to the question (${response || (status ? `HTTP ${status}` : 'no response')}).`,
      fix: tryLater,
    }),
    message_rejected: ({ response }) => ({
      message: `The service rejected a message with “${response}”.`,
      fix: tryLater,
    }),
    storage_ok: () => ({ message: 'The conversation is stored across pages.' }),
    storage_blocked: () => ({
      message:
        'The browser stores nothing for this page: private browsing, blocked site data or a sandboxed frame. The conversation ends with the page.',
      fix: 'In a sandboxed frame, add allow-same-origin. Otherwise it is the visitor’s setting.',
    }),
    languages_ok: () => ({ message: 'The registered languages have all texts.' }),
    languages_incomplete: ({ missing }) => ({
      message: `Some texts are missing and are shown in English: ${missing}.`,
      fix: 'Add them to the strings that you pass to registerLocale.',
    }),
    language_missing: ({ language }) => ({
      message: `The language is “${language}”, which the chat does not speak: its texts are in English.`,
      fix: 'Register the language with registerLocale, or choose another one with locale.',
    }),
    chat_missing: () => ({
      message: 'There is no chat on this page.',
      fix: 'The attributes “only-on”, “not-on” and “delay” of the script tag may exclude the page, or a script has removed the chat.',
    }),
    attributes_invalid: ({ invalid }) => ({
      message: `These attributes have an unknown name or value: ${invalid}.`,
      fix: 'Correct the name, or use one of the values in the docs.',
    }),
    theme_invalid: ({ invalid }) => ({
      message: `The browser ignores the rules that use an invalid value: ${invalid}.`,
      fix: 'A size or a distance is a length with its unit, and a color is one color.',
    }),
    not_examined: () => ({ message: 'This could not be checked. Fix the other problems first.' }),
  },
};
