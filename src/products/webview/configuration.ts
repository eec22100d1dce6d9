/** The configuration that an app passes to its webview: where it is found, and how it is validated. */
import { parseUrl } from '../../api/url.ts';
import { checkConfiguration, type Configuration } from '../../chat/configuration.ts';
import { panelTokens } from '../../styles/panel-tokens.ts';
import { tokens } from '../../styles/tokens.ts';
import { maxClientTools } from '../../../contract/limits.ts';
import { isToolName } from '../../chat/tools/tool-registry.ts';
import { isObject, parseJson } from '../../api/decode-values.ts';
import type { ContactProof, LocalizedText } from '../../../contract/wire.ts';
import { strings } from '../../locale/en.ts';
import { isTable, type StringOverrides } from '../../locale/strings.ts';
import { amount, anyText, either, findFault, object, oneOf, optional, orNull, pixels, shaped, text } from './checks.ts';
import { localizedText, tableOf, texts, yesOrNo, type Check, type Shape } from './checks.ts';

/** In CSS pixels, by the sides of the screen: left is also left in Arabic. */
export interface Insets {
  top?: number;
  right?: number;
  bottom?: number;
  left?: number;
}

export interface NativeTool {
  /** The name in snake_case, as the agent's owner declared it. */
  name: string;
  /** What the visitor reads in place of the name: a text, or one for each language. */
  title?: LocalizedText;
  /** What the visitor reads in place of the arguments' names, when asked for consent. */
  labels?: Record<string, LocalizedText>;
  /** Asks the visitor first, with the standard question or with this one. */
  confirm?: boolean | string;
  /** The timeout in milliseconds. The call's own timeout applies when it is shorter. */
  timeoutMs?: number;
}

/** The element's properties in camelCase, and the options of a webview. */
export interface WebviewConfiguration {
  baseUrl?: string;
  publishableKey?: string;
  agentId?: string;
  locale?: string | null;
  colorScheme?: 'auto' | 'light' | 'dark';
  heading?: string | null;
  greeting?: string | null;
  avatar?: string | null;
  starters?: string[] | null;
  feedback?: boolean;
  imageHosts?: string;
  linkHosts?: string;
  streaming?: 'auto' | 'off';
  repliesUrl?: string | null;
  strings?: StringOverrides | { en?: StringOverrides; ar?: StringOverrides } | null;
  contact?: ContactProof | null;
  /** With `native`, the app stores the conversation. */
  storage?: 'indexeddb' | 'memory' | 'native';
  /** The values of custom properties, by their names without `--workspace-chat-`. */
  theme?: Record<string, string>;
  tools?: NativeTool[];
  insets?: Insets;
  /** Whether to show a button that asks the app to close the chat. */
  closeButton?: boolean;
  /** The origins that may embed this page and communicate with it. Read only from the injected object and the fragment. */
  allowedOrigins?: string[];
}

/** The forms of a text with a number. A language may have others than English. */
const plural = optional(text);
const counted = shaped({ zero: plural, one: plural, two: plural, few: plural, many: plural, other: text }, '{other}');

/** Only strings can be overridden. A text that is a function cannot be sent as JSON. */
const isSentences = (value: unknown, own: object = strings): boolean =>
  isObject(value) &&
  Object.entries(value).every(([key, sentence]) => {
    const standard: unknown = Object.hasOwn(own, key) ? own[key as keyof typeof own] : undefined;
    if (Array.isArray(standard)) return texts.isValid(sentence);
    if (isTable(standard)) return isSentences(sentence, standard);
    return isObject(standard) ? counted.isValid(sentence) : typeof standard === typeof sentence;
  });

const sentences: Check = {
  expected: 'an object of plain sentences by their names, or {en, ar} of them',
  isValid: (value) =>
    isSentences(value) ||
    (isObject(value) && Object.entries(value).every(([key, own]) => /^(?:en|ar)$/.test(key) && isSentences(own))),
};

export const contact = orNull(
  either(shaped({ token: text }, '{token}'), shaped({ user_id: text, user_hash: text }, '{user_id, user_hash}')),
);

export const insets: Shape = {
  top: optional(pixels),
  right: optional(pixels),
  bottom: optional(pixels),
  left: optional(pixels),
};

const tool = shaped(
  {
    name: { expected: 'a snake_case name', isValid: isToolName },
    title: optional(localizedText),
    labels: optional(tableOf(localizedText)),
    confirm: optional(either(yesOrNo, text)),
    timeoutMs: optional(amount),
  },
  'a tool',
);

const tools: Check = {
  expected: `an array of up to ${maxClientTools} tools, {name, title?, labels?, confirm?, timeoutMs?}, each with a snake_case name of its own`,
  isValid: (value) =>
    Array.isArray(value) &&
    value.length <= maxClientTools &&
    value.every((one) => tool.isValid(one)) &&
    new Set(value.map((one: NativeTool) => one.name)).size === value.length,
};

/** Their styles read every custom property of a theme. */
const themeNames = new Set(
  [...`${tokens.cssText}${panelTokens.cssText}`.matchAll(/--workspace-chat-([a-z-]+)/g)].map(([, name]) => name!),
);

const theme: Check = {
  expected: `an object of CSS values by the names of the custom properties, such as {"accent": "#a4472b"}: ${[...themeNames].join(', ')}`,
  isValid: (value) =>
    isObject(value) && Object.entries(value).every(([name, own]) => themeNames.has(name) && text.isValid(own)),
};

const valid: Configuration = { baseUrl: 'https://a', publishableKey: 'svc_pk_a', agentId: 'a' };

/** Checks a field as the chat does, which would not start with another value. */
const part = (field: keyof Configuration, expected: string): Check => ({
  expected,
  isValid: (value) => text.isValid(value) && checkConfiguration({ ...valid, [field]: value }) !== null,
});

const baseUrl = part('baseUrl', 'an absolute http(s) URL, such as “https://api.example/api/v2”');

export const colorScheme = oneOf('auto', 'light', 'dark');

export const configurationShape: Shape = {
  // Relative to the page, which is a file of the app in many apps, a URL would be another one than the app means.
  baseUrl: optional({ ...baseUrl, isValid: (value) => baseUrl.isValid(value) && /^\s*https?:/i.test(String(value)) }),
  publishableKey: optional(part('publishableKey', 'a publishable key, which begins with “svc_pk_”')),
  agentId: optional(part('agentId', 'the id of an agent, such as “agt_1”')),
  locale: optional(orNull(text)),
  colorScheme: optional(colorScheme),
  heading: optional(orNull(text)),
  greeting: optional(orNull(text)),
  avatar: optional(orNull(text)),
  starters: optional(orNull(texts)),
  feedback: optional(yesOrNo),
  imageHosts: optional(anyText),
  linkHosts: optional(anyText),
  streaming: optional(oneOf('auto', 'off')),
  repliesUrl: optional(orNull(text)),
  strings: optional(orNull(sentences)),
  contact: optional(contact),
  storage: optional(oneOf('indexeddb', 'memory', 'native')),
  theme: optional(theme),
  tools: optional(tools),
  insets: optional(shaped(insets, 'an object of CSS pixels: {top?, right?, bottom?, left?}')),
  closeButton: optional(yesOrNo),
};

const isOrigin = (value: unknown): boolean => typeof value === 'string' && parseUrl(value)?.origin === value;

const initialShape: Shape = {
  ...configurationShape,
  allowedOrigins: optional({
    expected: 'an array of origins, such as ["https://app.example"]',
    isValid: (value) => Array.isArray(value) && value.every(isOrigin),
  }),
};

/** The places of the page that may hold a configuration. */
export interface ConfiguredWindow {
  location: Pick<Location, 'hash' | 'pathname' | 'search'>;
  history: Pick<History, 'replaceState'>;
  workspaceChatConfig?: unknown;
}

const prefix = '#workspaceChatConfig=';

const decode = (text: string): unknown => {
  try {
    return JSON.parse(decodeURIComponent(text));
  } catch {
    return undefined;
  }
};

/**
 * Reads the configuration from the URL's fragment, overridden by the object that the app has injected. Both are removed,
 * because a configuration may contain a proof of identity.
 */
export const takeInitialConfiguration = (
  page: ConfiguredWindow,
): { configuration: WebviewConfiguration; problems: string[] } => {
  const found: [place: string, value: unknown][] = [];
  const { hash, pathname, search } = page.location;
  if (hash.startsWith(prefix)) {
    found.push(['The URL’s fragment', decode(hash.slice(prefix.length))]);
    page.history.replaceState(null, '', pathname + search);
  }
  const injected = page.workspaceChatConfig;
  if (injected !== undefined) {
    found.push(['workspaceChatConfig', typeof injected === 'string' ? parseJson(injected) : injected]);
    delete page.workspaceChatConfig;
  }
  const problems: string[] = [];
  const configuration: WebviewConfiguration = {};
  for (const [place, value] of found) {
    const problem = object.isValid(value)
      ? findFault(value as object as Record<string, unknown>, initialShape)
      : 'It is no JSON object.';
    if (problem === null) Object.assign(configuration, value);
    else problems.push(`${place}: ${problem}`);
  }
  return { configuration, problems };
};

/** Whether the configuration is complete enough to start the chat. */
export const isComplete = ({ baseUrl, publishableKey, agentId }: WebviewConfiguration): boolean =>
  Boolean(baseUrl && publishableKey && agentId);
