/** The public element's attributes and properties, with their defaults. */
import { isServer, LitElement, type PropertyDeclaration } from 'lit';
import type { Mode } from '../controllers/chat-context.ts';
import type { LinksBlock } from '../../contract/wire.ts';
import { attributeName } from './attribute-name.ts';
import type { Consent } from './consent.ts';
import type { StringOverrides } from '../locale/strings.ts';
import { attempt } from '../chat/storage/tab-flag.ts';
import type { TeamHours } from '../locale/team-hours.ts';

/** The server of a framework writes an object so, and sets the property in the browser. */
const serializedObject = '[object Object]';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Reads JSON, and checks a value. Anything else is reported, because the page would lack something without a reason.
 * @param fallback The value in place of one that cannot be used.
 */
const json = (isExpected: (value: unknown) => boolean, expected: string, fallback: false | null = null) => {
  const check = (value: unknown): unknown => {
    if (isExpected(value)) return value;
    console.error(`workspace-chat: ${expected}.`);
    return fallback;
  };
  const fromAttribute = (text: string | null): unknown => {
    if (text === null) return null;
    return text.startsWith(serializedObject) ? fallback : check(attempt(() => JSON.parse(text)));
  };
  return { check, fromAttribute };
};

const startersJson = json(
  (value) => Array.isArray(value) && value.every((starter) => typeof starter === 'string'),
  '“starters” must be a list of texts, such as ["When are you open?"]',
);

/** A text that is no list is one starter, and an empty one is none. The servers of some frameworks write lists as text. */
const starters = {
  ...startersJson,
  fromAttribute: (text: string | null): unknown =>
    text === null || /^\s*\[/.test(text) ? startersJson.fromAttribute(text) : [text].filter(Boolean),
};

const links = json(Array.isArray, '“links” must be a JSON array, such as [{"label": "Delivery", "url": "https://…"}]');

/** A consent that cannot be read must not let messages through, so it asks for nothing and waits. */
const consent = json(
  (value) =>
    typeof value === 'boolean' ||
    (isObject(value) && typeof ((value as Partial<Consent>).text ?? ('version' in value && '')) === 'string'),
  '“consent” must be JSON, such as {"text": "I agree to the [privacy policy].", "url": "https://…", "version": "1"}. The chat waits',
  false,
);

const teamHours = json(
  isObject,
  '“team-hours” must be JSON, such as {"timeZone": "Asia/Muscat", "hours": {"sun": ["09:00-17:00"]}}',
);

const strings = json(isObject, '“strings” must be an object, such as {"en": {"placeholder": "Your question…"}}');

/** A link of the page that is offered before the first message. */
export type PageLink = LinksBlock['links'][number];

/** Reads a name or a list of names, in which invisible characters have no meaning, nor spaces at the ends. */
const trim = { fromAttribute: (value: string | null) => value && value.replaceAll(/\p{Cf}/gu, '').trim() };

/**
 * What a page sets on the element: attributes, properties, custom properties, and the parts that it styles.
 *
 * @cssprop --workspace-chat-accent - The brand color: the launcher, the visitor's messages, links and buttons.
 * @cssprop --workspace-chat-on-accent - Text on the accent color.
 * @cssprop --workspace-chat-surface - The background.
 * @cssprop --workspace-chat-surface-raised - The background of raised elements.
 * @cssprop --workspace-chat-text - Text on the surfaces.
 * @cssprop --workspace-chat-muted - Secondary text: times, notices, sources.
 * @cssprop --workspace-chat-border - Borders and separators.
 * @cssprop --workspace-chat-info - The color of information.
 * @cssprop --workspace-chat-success - The color of success.
 * @cssprop --workspace-chat-warning - The color of warnings.
 * @cssprop --workspace-chat-danger - The color of errors.
 * @cssprop --workspace-chat-font - The font family.
 * @cssprop --workspace-chat-font-size - The base font size. All other sizes are in em of it.
 * @cssprop --workspace-chat-radius - The radius of the panel's corners, and the default of all others.
 * @cssprop --workspace-chat-space - The spacing unit.
 * @cssprop --workspace-chat-motion - The factor of all durations of transitions and animations, from 0 (none) to 1.
 * @cssprop --workspace-chat-header - The background of the header.
 * @cssprop --workspace-chat-on-header - The title, the status and the icons in the header.
 * @cssprop --workspace-chat-button-radius - The radius of the buttons' corners.
 * @cssprop --workspace-chat-field-radius - The radius of the corners of the text field and of the inputs of forms.
 * @cssprop --workspace-chat-width - The width of the floating panel, limited by the viewport.
 * @cssprop --workspace-chat-height - The height of the floating panel, limited by the viewport.
 * @cssprop --workspace-chat-offset-x - The distance between the launcher and the side of the viewport.
 * @cssprop --workspace-chat-offset-y - The distance between the launcher and the bottom of the viewport.
 * @cssprop --workspace-chat-z-index - The stacking order of the launcher and the panel with `layer="page"`.
 * @cssprop --workspace-chat-shadow - The shadow of the launcher and the panel.
 * @cssprop --workspace-chat-backdrop - The background behind a panel that fills the screen.
 * @cssprop --workspace-chat-launcher-size - The height of the launcher, and its width without a label.
 * @cssprop --workspace-chat-launcher-radius - The radius of the launcher's corners.
 * @cssprop --workspace-chat-visitor-bubble - The background of the visitor's messages.
 * @cssprop --workspace-chat-on-visitor-bubble - The text of the visitor's messages.
 * @cssprop --workspace-chat-agent-bubble - The background of replies.
 * @cssprop --workspace-chat-on-agent-bubble - The text of replies.
 * @cssprop --workspace-chat-bubble-radius - The radius of the bubbles' corners, and of forms and cards: 1.5em at most
 *
 * @csspart launcher - The button that opens the chat.
 * @csspart badge - The number of unread messages on the launcher.
 * @csspart teaser - The short text beside the closed launcher.
 * @csspart panel - The whole chat, beside the launcher or in its box.
 * @csspart header - The bar above the messages.
 * @csspart heading - The title in the header.
 * @csspart status - The line below the title: who replies.
 * @csspart icon-button - Each button in the header.
 * @csspart menu - The menu of the header.
 * @csspart menu-item - Each entry of the menu.
 * @csspart messages - The scrolling area with the greeting, the messages and the starters.
 * @csspart message - Every message.
 * @csspart message-visitor - A message of the visitor.
 * @csspart message-agent - A reply of the agent.
 * @csspart message-team - A message of a team member.
 * @csspart avatar - The picture of the assistant, or of the person who wrote a message.
 * @csspart bubble - The box around a message's text.
 * @csspart meta - The line below a message: its time, and what went wrong with it.
 * @csspart copy - The button that copies a reply.
 * @csspart feedback - Each of the thumbs below a reply, and the form for a comment.
 * @csspart notice - A line between messages, such as that a person has joined.
 * @csspart thinking - The bubble with dots, before the first text of a reply.
 * @csspart sources - The sources of a reply.
 * @csspart starter - Each message that is offered before the first one.
 * @csspart block - Every block, whatever its type.
 * @csspart form - A form block.
 * @csspart field - Each input of a form.
 * @csspart field-box - The box around the text field and its button.
 * @csspart option - Each button of an options block.
 * @csspart time - Each open time.
 * @csspart card - A status card.
 * @csspart chip - A small label: the status in a card, or a source.
 * @csspart product - Each product.
 * @csspart link - Each link of a block.
 * @csspart speech - The buttons of dictation and of reading aloud.
 * @csspart tool - A line about a client tool that was used.
 * @csspart tool-prompt - The question whether a client tool may run.
 * @csspart button - Each button of a form, a product or a tool prompt.
 * @csspart consent - The question for the visitor's consent, in place of the input.
 * @csspart banner - The line above the input: a problem, or the reason for a wait.
 * @csspart to-end - The button that scrolls to the newest message.
 * @csspart composer - The input with its button.
 * @csspart input - The text field.
 * @csspart send - The button that sends the message or stops the reply.
 * @csspart footer - The line below the input: the notice and the privacy link.
 */
export class WorkspaceChatProperties extends LitElement {
  static override properties: Record<string, PropertyDeclaration> = {
    baseUrl: {},
    publishableKey: {},
    agentId: {},
    locale: {},
    mode: { converter: trim, reflect: true, useDefault: true },
    placement: { converter: trim, reflect: true, useDefault: true },
    open: { type: Boolean, reflect: true },
    heading: {},
    greeting: {},
    avatar: {},
    starters: { converter: starters },
    links: { converter: links },
    consent: { converter: consent },
    teamHours: { converter: teamHours },
    teaser: {},
    teaserDelay: { type: Number },
    teaserWhen: {},
    expand: { converter: trim },
    feedback: { type: Boolean },
    speech: { type: Boolean },
    enter: { converter: trim },
    layer: { converter: trim, reflect: true, useDefault: true },
    colorScheme: { converter: trim, reflect: true, useDefault: true },
    shortcut: {},
    hideLauncher: { type: Boolean, reflect: true },
    launcherLabel: {},
    launcherSelector: {},
    imageHosts: { converter: trim },
    linkHosts: { converter: trim },
    storage: { converter: trim },
    streaming: { converter: trim },
    rating: { type: Boolean },
    notify: { type: Boolean },
    transcriptUrl: {},
    historyUrl: {},
    repliesUrl: {},
    pageTools: { type: Boolean },
    strings: { attribute: false, converter: strings },
  };

  static {
    for (const [name, declaration] of Object.entries(this.properties))
      this.properties[name] = { attribute: attributeName(name), ...declaration };
  }

  /** The API's URL with its version prefix, such as `https://api.example/api/v2`. */
  declare baseUrl: string;
  /** The workspace's publishable key, `svc_pk_…`. */
  declare publishableKey: string;
  /** The id of the agent that replies, `agt_…`. */
  declare agentId: string;
  /**
   * The language as a BCP 47 tag. Null means the nearest `lang` attribute, then the browser's language. The menu sets it, and the
   * choice holds on the tab's next pages in the same language.
   */
  declare locale: string | null;
  /**
   * A launcher with a panel, a region that fills its own box, or the whole screen of a webview.
   * @type {'floating' | 'inline' | 'fullscreen'}
   */
  declare mode: Mode;
  /** The side of the floating launcher, in the writing direction. */
  declare placement: 'end' | 'start';
  /** Whether the floating panel is open. The other modes ignore it. */
  declare open: boolean;
  /** The panel's title and accessible name. Null means the localized default. */
  declare heading: string | null;
  /** A text shown before the first message. It is never sent. */
  declare greeting: string | null;
  /** The URL of the assistant's picture. The site's own, so `image-hosts` does not concern it. */
  declare avatar: string | null;
  /** Messages that are offered before the first one. Selecting one sends it. The attribute is a JSON array, or the text of one message. */
  declare starters: readonly string[] | null;
  /** Pages to read before the first message, six at most: `{label, url, description?}`. */
  declare links: readonly PageLink[] | null;
  /**
   * What the visitor agrees to before the first message: `{text, url?, version}`. Until then nothing is sent, requested from the
   * API, or stored. `true` and `false` are what the visitor has chosen in the site's own dialog.
   */
  declare consent: Consent | boolean | null;
  /**
   * When the team replies: its time zone, the opening times of each day, and the days without any. Outside of them a visitor who asks
   * for a person reads when the team is back.
   */
  declare teamHours: TeamHours | null;
  /**
   * A short text beside the closed launcher. A reply that the visitor has not read replaces it. An empty text shows unread
   * replies only, null nothing.
   */
  declare teaser: string | null;
  /** Milliseconds before the teaser is shown. */
  declare teaserDelay: number;
  /**
   * Rules in place of the delay, separated by spaces: `time:20s`, `idle:30s`, `scroll:50%`, `visits:2`, `path:/pricing*`, and `exit`
   * for the pointer that leaves the page at the top. When all of them hold, the teaser is shown once in a visit.
   */
  declare teaserWhen: string | null;
  /** Whether the menu offers to make the floating panel wide. */
  declare expand: 'auto' | 'off';
  /** Shows thumbs below the replies, as a listener of `workspace-chat-feedback` on the element does. */
  declare feedback: boolean;
  /** Offers dictation and reading aloud where the browser can do both on the device. */
  declare speech: boolean;
  /**
   * Sends the message at Enter, or begins a new line. With `auto`, Enter begins a new line on devices that have only a touch
   * screen, where the button sends.
   */
  declare enter: 'auto' | 'send' | 'newline';
  /**
   * The browser's top layer, above everything on the page, or the stacking order of the page, with
   * `--workspace-chat-z-index`. A panel that fills a small screen is always in the top layer.
   */
  declare layer: 'top' | 'page';
  /** Light, dark, or the page's own color scheme, and without one the system's setting. */
  declare colorScheme: 'auto' | 'light' | 'dark';
  /** The keys that open and close the floating chat, such as `Alt+C`: a letter or a digit with Alt, Ctrl or Meta. */
  declare shortcut: string | null;
  /** Hides the launcher, for pages that open the chat themselves. */
  declare hideLauncher: boolean;
  /** A short text beside the launcher's icon. Null means an icon alone. */
  declare launcherLabel: string | null;
  /** A CSS selector. A click on a matching element of the page opens the chat. */
  declare launcherSelector: string | null;
  /** The hosts that product images may come from, separated by spaces. None by default. */
  declare imageHosts: string;
  /** The hosts of the site's own links, separated by spaces. A link to any other host shows its host. None by default. */
  declare linkHosts: string;
  /** Where the conversation is stored. With `memory`, it lasts until the page is closed. */
  declare storage: 'indexeddb' | 'memory';
  /** With `off`, replies are not streamed, and each call has an Idempotency-Key. */
  declare streaming: 'auto' | 'off';
  /** Asks for a rating when the team hands the conversation back, or it has ended. */
  declare rating: boolean;
  /** Offers a notice of the system for replies that arrive while the page is hidden. */
  declare notify: boolean;
  /** The URL of the site's backend that sends the transcript to the visitor by e-mail. */
  declare transcriptUrl: string | null;
  /** The URL of the site's backend with the past conversations of a signed-in customer. */
  declare historyUrl: string | null;
  /** The URL of the site's relay of team replies. */
  declare repliesUrl: string | null;
  /** Offers the page's own WebMCP tools to the agent, with the visitor's consent to each call. */
  declare pageTools: boolean;
  /** Overrides any text, for all languages or by language: `{en, ar}` and the tags of registered ones. Attributes win. */
  declare strings: StringOverrides | Readonly<Record<string, StringOverrides>> | null;

  constructor() {
    super();
    this.baseUrl = this.publishableKey = this.agentId = this.imageHosts = this.linkHosts = '';
    this.mode = 'floating';
    this.placement = 'end';
    this.colorScheme = this.expand = this.enter = 'auto';
    this.layer = 'top';
    this.storage = 'indexeddb';
    this.streaming = 'auto';
    this.teaserDelay = 3000;
    this.open = this.hideLauncher = this.feedback = this.speech = this.pageTools = false;
    this.rating = this.notify = false;
    this.transcriptUrl = this.historyUrl = null;
    this.locale = this.heading = this.greeting = this.starters = this.links = this.teamHours = this.consent = null;
    this.avatar = this.teaser = this.teaserWhen = null;
    this.launcherLabel = this.launcherSelector = this.repliesUrl = this.shortcut = this.strings = null;
  }
}

interface Declaration {
  type?: unknown;
  converter?: { fromAttribute(text: string): unknown; check?(value: unknown): unknown };
}

/** Reads what a page has set as a property in the form of the attribute, or as a number in place of a text. */
const toValue = (name: PropertyKey, { type, converter }: Declaration, value: unknown): unknown => {
  if (type || value === null || value === undefined) return value;
  const text = typeof value === 'number' || value instanceof URL ? `${value}` : value;
  if (typeof text === 'string') return converter ? converter.fromAttribute(text) : text;
  if (converter?.check) return converter.check(value);
  console.error(`workspace-chat: “${String(name)}” must be a text.`);
  return null;
};

/** Reads the properties that a page has set, and reports those of another type. Their null has the effect of the default. */
export const normalize = (element: WorkspaceChatProperties, changed: ReadonlyMap<PropertyKey, unknown>): void => {
  const properties = WorkspaceChatProperties.properties as unknown as Record<PropertyKey, Declaration>;
  const values = element as unknown as Record<PropertyKey, unknown>;
  for (const name of changed.keys()) if (properties[name]) values[name] = toValue(name, properties[name], values[name]);
};

// On a server, `@lit-labs/ssr` renders the tag without a shadow root: the element needs a document. This is how it recognizes
// the elements that it can render.
if (isServer) WorkspaceChatProperties['_$litElement$'] = false;

/** The properties that are declared here, without those of Lit and HTML. */
export type DeclaredProperties = Omit<WorkspaceChatProperties, keyof LitElement>;
