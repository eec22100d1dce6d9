/** The teaser: a short text beside the closed launcher, the site's own or the reply that the visitor has not read. */
import { css, html, nothing, render, type ReactiveController } from 'lit';
import { systemClock } from '../api/system-clock.ts';
import type { Conversation } from '../chat/conversation.ts';
import { isolatedNumbers } from '../locale/isolated-numbers.ts';
import { adopt } from '../styles/adopt.ts';
import type { ChatHost } from './chat-host.ts';
import { launcherStringsFor } from './launcher-texts.ts';
import { parseTeaserRules, watchTeaserRules } from './teaser-rules.ts';

const teaserStyles = css`
  .teaser {
    position: absolute;
    inset-block-end: calc(100% + 0.75em);
    inset-inline-end: 0;
    display: flex;
    align-items: flex-start;
    inline-size: max-content;
    max-inline-size: min(18em, 100vw - 2 * var(--_wc-offset-x));
    border-radius: 1em;
    border-end-end-radius: 0.3em;
    background: var(--_surface);
    box-shadow: var(--_shadow);
    color: var(--_text);
    animation: teaser calc(0.2s * var(--_motion)) ease-out;
  }

  :host([placement~='start']) .teaser {
    inset-inline: 0 auto;
    border-radius: 1em;
    border-end-start-radius: 0.3em;
  }

  .teaser img {
    flex: none;
    inline-size: 2.25em;
    /* Nothing beside a text that has room for a few letters only: where the text is large and the page narrow. */
    max-inline-size: calc((100% - 12em) * 99);
    block-size: 2.25em;
    margin: 0.7em;
    margin-inline-end: -0.25em;
    border-radius: 50%;
    object-fit: cover;
  }

  .teaser button {
    margin: 0;
    border: 1px solid transparent;
    border-radius: 0.75em;
    background: none;
    color: inherit;
    font: inherit;
  }

  .teaser .text {
    padding-block: 0.75em;
    padding-inline: 1em 0.25em;
    text-align: start;
  }

  .teaser .starters {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4em;
    padding: 0 1em 0.9em;
  }

  .teaser .starters button {
    padding: 0.4em 0.8em;
    border-color: var(--_border);
    border-radius: 1em;
    text-align: start;
    overflow-wrap: anywhere;
  }

  .teaser .starters button:hover {
    background: var(--_raised);
  }

  .teaser .text span {
    display: -webkit-box;
    overflow: hidden;
    overflow-wrap: anywhere;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
  }

  .teaser .dismiss {
    flex: none;
    display: grid;
    place-items: center;
    inline-size: 2.5em;
    block-size: 2.5em;
    margin: 0.25em;
    opacity: 0.7;
  }

  .teaser .dismiss:is(:hover, :focus-visible) {
    opacity: 1;
  }

  .teaser .dismiss svg {
    inline-size: 1em;
    block-size: 1em;
  }

  .teaser button:focus-visible {
    outline: 0.125em solid;
    outline-offset: -0.25em;
  }

  @keyframes teaser {
    from {
      opacity: 0;
      transform: translateY(0.5em);
    }
  }
`;

/** Milliseconds before the teaser is shown where `teaser-delay` is no number. */
const defaultDelay = 3000;

/** A value that is stored: for the site, or for a visit in `sessionStorage`. */
interface StoredValue {
  get(): string | null;
  set(value: string): void;
}

/**
 * Opens a value. Where storage is blocked, or the visitor's consent is missing, it lasts for the page.
 * @param open Returns the store.
 */
const storedValue = (name: string, { consent }: Pick<ChatHost, 'consent'>, open = () => localStorage): StoredValue => {
  let value: string | null = null;
  let isStored = false;
  const store = () => {
    if (value === null || isStored || consent.missing) return;
    isStored = true;
    try {
      open().setItem(name, value);
    } catch {
      // Storage is blocked.
    }
  };
  return {
    get() {
      store();
      try {
        return value ?? open().getItem(name);
      } catch {
        return value;
      }
    },
    set(next) {
      value = next;
      isStored = false;
      store();
    },
  };
};

const visitValue = (name: string, host: ChatHost): StoredValue => storedValue(name, host, () => sessionStorage);

/** Counts a visit to the site once, and returns the number of visits. */
const countVisits = (host: ChatHost): number => {
  const { agentId } = host.element;
  const isCounted = visitValue(`workspace-chat-visit ${agentId}`, host);
  const stored = storedValue(`workspace-chat-visits ${agentId}`, host);
  const count = Number(stored.get()) || 0;
  if (isCounted.get()) return count;
  isCounted.set('1');
  stored.set(`${count + 1}`);
  return count + 1;
};

const hide = ({ target }: Event) => {
  (target as HTMLImageElement).hidden = true;
};

/** What the page shows with `showTeaser`. */
interface Invitation {
  text: string;
  starters: readonly string[];
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Reads what the page has given. Returns null without a text, which is reported. */
const toInvitation = ({ text, starters }: Readonly<Record<keyof Invitation, unknown>>): Invitation | null => {
  if (isText(text)) return { text, starters: Array.isArray(starters) ? starters.filter(isText) : [] };
  console.error('workspace-chat: showTeaser() needs a text.');
  return null;
};

class Teaser implements ReactiveController {
  readonly agentId: string;
  readonly #host: ChatHost;
  readonly #box = document.createElement('div');
  /** Set when the visitor has dismissed the site's text, or knows the chat. */
  readonly #dismissal: StoredValue;
  /** The key of the unread reply that the visitor has dismissed. */
  readonly #dismissedReply: StoredValue;
  /** Whether a text that waits for rules, or for the page, was shown in this visit: it is shown once. */
  readonly #shown: StoredValue;
  #isDue = false;
  /** The text of the page, which replaces the element's. */
  #invitation: Invitation | null = null;
  /** The delay or rules that are watched, which the page may change. */
  #when: string | number | null = null;
  #watching = new AbortController();
  #followed: Conversation | null = null;
  #unfollow = () => {};

  constructor(host: ChatHost) {
    const { agentId } = host.element;
    this.agentId = agentId;
    this.#host = host;
    this.#dismissal = storedValue(`workspace-chat-teaser ${agentId}`, host);
    this.#dismissedReply = storedValue(`workspace-chat-teaser-reply ${agentId}`, host);
    this.#shown = visitValue(`workspace-chat-teaser-shown ${agentId}`, host);
    adopt(host.element.shadowRoot!, teaserStyles.styleSheet!);
  }

  hostConnected(): void {
    this.#watch();
  }

  hostUpdated(): void {
    if (this.agentId !== this.#host.element.agentId) return showTeaser(this.#host);
    // A text that has had its time stays, whatever the delay is now.
    if (this.#when !== (this.#rules ?? (this.#isDue ? this.#when : this.#delay))) this.#watch();
    this.#follow(this.#host.conversation);
    this.#render();
  }

  /** Shows a text of the page, once in a visit, and not to a visitor who knows the chat. */
  invite(invitation: Invitation | null): void {
    if (!invitation || this.#host.open || this.#dismissal.get() || this.#shown.get()) return;
    this.#shown.set('1');
    this.#invitation = invitation;
    this.#render();
  }

  /** Null without a text, which the page may set later: then no rules are watched. */
  get #rules(): string | null {
    const { teaser, teaserWhen } = this.#host.element;
    return teaser ? teaserWhen : null;
  }

  get #delay(): number {
    const { teaserDelay } = this.#host.element;
    return Number.isFinite(teaserDelay) ? teaserDelay : defaultDelay;
  }

  /** Waits for the delay, or for all rules of `teaser-when`. */
  #watch(): void {
    const [delay, teaserWhen] = [this.#delay, this.#rules];
    this.#watching.abort();
    this.#watching = new AbortController();
    this.#when = teaserWhen ?? delay;
    this.#isDue = false;
    const { signal } = this.#watching;
    const show = () => {
      this.#isDue = true;
      if (teaserWhen) this.#shown.set('1');
      this.#render();
    };
    if (teaserWhen === null) {
      const cancel = systemClock.after(delay, show);
      signal.addEventListener('abort', cancel);
      return;
    }
    const { rules, mistakes } = parseTeaserRules(teaserWhen);
    if (mistakes.length > 0 || rules.length === 0) {
      console.error(
        `workspace-chat: “teaser-when” has unknown rules: “${mistakes.join(' ') || teaserWhen}”. Write rules such as “time:20s scroll:50% exit visits:2 path:/pricing* idle:30s”.`,
      );
    } else if (!this.#dismissal.get() && !this.#shown.get()) {
      watchTeaserRules(rules, { clock: systemClock, visits: () => countVisits(this.#host) }, show, signal);
    }
  }

  /** Follows the conversation: a visitor may be signed in, or the page left, and a reply must not stay on the screen. */
  #follow(conversation: Conversation | null): void {
    if (conversation === this.#followed) return;
    this.#unfollow();
    this.#followed = conversation;
    this.#unfollow =
      conversation?.store.subscribe(({ status, messages }, _event, previous) => {
        if (status !== previous.status || messages !== previous.messages) this.#render();
      }) ?? (() => {});
  }

  #render(): void {
    const { launcher, open, isFloating, element, conversation, unreadReply: reply } = this.#host;
    // A visitor who has opened the chat knows it.
    if (open && isFloating && !this.#dismissal.get()) this.#dismissal.set('1');
    const isNew = !conversation?.store.state.messages.length && !this.#dismissal.get();
    const invitation = isNew ? this.#invitation : null;
    const own = this.#isDue && isNew ? element.teaser : '';
    const isShown = !open && isFloating && !element.hideLauncher;
    const isUnread = element.teaser !== null && reply && reply.key !== this.#dismissedReply.get();
    const text = isUnread ? reply.text : (invitation?.text ?? own);
    const starters = isUnread ? [] : (invitation?.starters ?? []);
    if (launcher && this.#box.parentElement !== launcher) launcher.append(this.#box);
    render(isShown && text ? this.#template(text, starters, isUnread ? reply.key : null) : nothing, this.#box);
  }

  hostDisconnected(): void {
    this.#watching.abort();
    this.#follow(null);
  }

  remove(): void {
    this.#host.element.removeController(this);
    this.hostDisconnected();
    this.#box.remove();
  }

  #template(text: string, starters: readonly string[], replyKey: string | null) {
    const { element, locale } = this.#host;
    const { dismiss } = launcherStringsFor(element, locale);
    return html`<div class="teaser" part="teaser">
      ${element.avatar ? html`<img alt="" referrerpolicy="no-referrer" src=${element.avatar} @error=${hide} />` : nothing}
      <button class="text" @click=${this.#onOpen}><span dir="auto">${isolatedNumbers(text)}</span></button>
      <button class="dismiss" title=${dismiss} @click=${() => this.#dismiss(replyKey)}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18" /></svg>
      </button>
      ${
        starters.length > 0
          ? html`<div class="starters">
              ${starters.map((starter) => html`<button part="starter" @click=${() => this.#send(starter)}>${isolatedNumbers(starter)}</button>`)}
            </div>`
          : nothing
      }
    </div>`;
  }

  #send(starter: string): void {
    this.#onOpen();
    void this.#host.send(starter);
  }

  readonly #onOpen = (): void =>
    this.#host.openByVisitor(this.#host.launcher?.querySelector<HTMLElement>('.launcher') ?? null);

  #dismiss(replyKey: string | null): void {
    if (replyKey === null) this.#dismissal.set('1');
    else this.#dismissedReply.set(replyKey);
    this.#render();
    this.#host.launcher?.querySelector<HTMLElement>('.launcher')?.focus();
  }
}

const teasers = new WeakMap<ChatHost, Teaser>();

/**
 * Shows the teaser of an element, whenever there is something to show. Each agent has its own.
 * @param invitation A text of the page, with its starters.
 */
export const showTeaser = (host: ChatHost, invitation?: Parameters<typeof toInvitation>[0]): void => {
  let teaser = teasers.get(host);
  if (teaser?.agentId !== host.element.agentId) {
    teaser?.remove();
    teaser = new Teaser(host);
    teasers.set(host, teaser);
    host.element.addController(teaser);
  }
  if (invitation) teaser.invite(toInvitation(invitation));
};
