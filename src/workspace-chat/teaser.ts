/** The teaser: a short text beside the closed launcher, the site's own or the reply that the visitor has not read. */
import { css, html, nothing, render, type ReactiveController } from 'lit';
import { systemClock } from '../api/clock.ts';
import type { Conversation } from '../chat/conversation.ts';
import type { ChatHost } from './chat-host.ts';
import { launcherStringsFor } from './launcher-texts.ts';

const teaserStyles = css`
  .teaser {
    position: absolute;
    inset-block-end: calc(100% + 0.75em);
    inset-inline-end: 0;
    display: flex;
    align-items: flex-start;
    inline-size: max-content;
    max-inline-size: min(18em, 100vw - 2 * var(--_offset-x));
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

  .teaser button {
    margin: 0;
    border: 1px solid transparent;
    border-radius: 0.75em;
    background: none;
    color: inherit;
    font: inherit;
  }

  .teaser .text {
    padding: 0.75em 0 0.75em 1em;
    padding-inline: 1em 0.25em;
    text-align: start;
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

/** A value that the site stores, which lasts. Where storage is blocked, it lasts for the page. */
const storedValue = (name: string) => {
  let value: string | null = null;
  return {
    get(): string | null {
      try {
        return value ?? localStorage.getItem(name);
      } catch {
        return value;
      }
    },
    set(next: string): void {
      value = next;
      try {
        localStorage.setItem(name, next);
      } catch {
        // Storage is blocked.
      }
    },
  };
};

class Teaser implements ReactiveController {
  readonly #host: ChatHost;
  readonly #box = document.createElement('div');
  /** Set when the visitor has dismissed the site's text, or knows the chat. */
  readonly #dismissal: ReturnType<typeof storedValue>;
  /** The key of the unread reply that the visitor has dismissed. */
  readonly #dismissedReply: ReturnType<typeof storedValue>;
  #isDue = false;
  #cancel = () => {};
  #followed: Conversation | null = null;
  #unfollow = () => {};

  constructor(host: ChatHost) {
    this.#host = host;
    this.#dismissal = storedValue(`workspace-chat-teaser ${host.element.agentId}`);
    this.#dismissedReply = storedValue(`workspace-chat-teaser-reply ${host.element.agentId}`);
    host.element.shadowRoot!.adoptedStyleSheets.push(teaserStyles.styleSheet!);
  }

  hostConnected(): void {
    this.#cancel = systemClock.after(this.#host.element.teaserDelay, () => {
      this.#isDue = true;
      this.hostUpdated();
    });
  }

  hostUpdated(): void {
    this.#follow(this.#host.conversation);
    this.#render();
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
    const own = this.#isDue && isNew ? element.teaser : '';
    const isShown = !open && isFloating && !element.hideLauncher && element.teaser !== null;
    const text = reply && reply.key !== this.#dismissedReply.get() ? reply.text : own;
    if (launcher && this.#box.parentElement !== launcher) launcher.append(this.#box);
    render(isShown && text ? this.#template(text, reply?.key ?? null) : nothing, this.#box);
  }

  hostDisconnected(): void {
    this.#cancel();
    this.#follow(null);
  }

  #template(text: string, replyKey: string | null) {
    const { element, locale } = this.#host;
    const { dismiss } = launcherStringsFor(element, locale);
    return html`<div class="teaser" part="teaser">
      <button class="text" @click=${this.#onOpen}><span dir="auto">${text}</span></button>
      <button class="dismiss" aria-label=${dismiss} title=${dismiss} @click=${() => this.#dismiss(replyKey)}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18" /></svg>
      </button>
    </div>`;
  }

  readonly #onOpen = (): void => this.#host.openByVisitor(this.#host.launcher?.querySelector('button') ?? null);

  #dismiss(replyKey: string | null): void {
    if (replyKey === null) this.#dismissal.set('1');
    else this.#dismissedReply.set(replyKey);
    this.#render();
    this.#host.launcher?.querySelector('button')?.focus();
  }
}

const teasers = new WeakSet<ChatHost>();

/** Shows the teaser of an element, whenever there is something to show. */
export const showTeaser = (host: ChatHost): void => {
  if (teasers.has(host)) return;
  teasers.add(host);
  host.element.addController(new Teaser(host));
};
