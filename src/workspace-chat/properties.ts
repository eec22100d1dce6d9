/** The public element's attributes and properties, with their defaults. */
import { isServer, LitElement, type PropertyDeclarations } from 'lit';
import type { Mode } from '../controllers/chat-context.ts';
import type { StringOverrides } from '../locale/strings.ts';
import { parseStarters } from './starters.ts';

export class WorkspaceChatProperties extends LitElement {
  static override properties: PropertyDeclarations = {
    baseUrl: { attribute: 'base-url' },
    publishableKey: { attribute: 'publishable-key' },
    agentId: { attribute: 'agent-id' },
    locale: {},
    mode: { reflect: true, useDefault: true },
    placement: { reflect: true, useDefault: true },
    open: { type: Boolean, reflect: true },
    heading: {},
    greeting: {},
    starters: { converter: parseStarters },
    colorScheme: { attribute: 'color-scheme', reflect: true, useDefault: true },
    hideLauncher: { type: Boolean, attribute: 'hide-launcher', reflect: true },
    launcherSelector: { attribute: 'launcher-selector' },
    imageHosts: { attribute: 'image-hosts' },
    linkHosts: { attribute: 'link-hosts' },
    storage: {},
    streaming: {},
    repliesUrl: { attribute: 'replies-url' },
    pageTools: { type: Boolean, attribute: 'page-tools' },
    strings: { attribute: false },
  };

  /** The API's URL with its version prefix, such as `https://api.example/api/v2`. */
  declare baseUrl: string;
  /** The workspace's publishable key, `svc_pk_…`. */
  declare publishableKey: string;
  /** The id of the agent that replies, `agt_…`. */
  declare agentId: string;
  /** The language as a BCP 47 tag. Null means the nearest `lang` attribute, then the browser's language. */
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
  /** Messages that are offered before the first one. Selecting one sends it. */
  declare starters: readonly string[] | null;
  /** Light, dark, or the system's setting. */
  declare colorScheme: 'auto' | 'light' | 'dark';
  /** Hides the launcher, for pages that open the chat themselves. */
  declare hideLauncher: boolean;
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
  /** The URL of the site's relay of team replies. */
  declare repliesUrl: string | null;
  /** Offers the page's own WebMCP tools to the agent, with the visitor's consent to each call. */
  declare pageTools: boolean;
  /** Overrides any text, for both languages or for each of them. Attributes win. */
  declare strings: StringOverrides | { en?: StringOverrides; ar?: StringOverrides } | null;

  constructor() {
    super();
    this.baseUrl = this.publishableKey = this.agentId = this.imageHosts = this.linkHosts = '';
    this.mode = 'floating';
    this.placement = 'end';
    this.colorScheme = 'auto';
    this.storage = 'indexeddb';
    this.streaming = 'auto';
    this.open = this.hideLauncher = this.pageTools = false;
    this.locale = this.heading = this.greeting = this.starters = null;
    this.launcherSelector = this.repliesUrl = this.strings = null;
  }
}

// On a server, `@lit-labs/ssr` renders the tag without a shadow root: the element needs a document. This is how it recognises
// the elements that it can render.
if (isServer) WorkspaceChatProperties['_$litElement$'] = false;

/** The properties that are declared here, without those of Lit and HTML. */
export type DeclaredProperties = Omit<WorkspaceChatProperties, keyof LitElement>;
