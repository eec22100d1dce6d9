/** Offers a notice of the system when a reply arrives while the page is hidden, and shows it. Loaded when the page wants it. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { ChatMessage, ConversationState } from '../chat/state/state.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { adopt } from '../styles/adopt.ts';
import { defineElements } from './define-elements.ts';
import { PrivateElement } from './private-element.ts';

const name = 'workspace-chat-notify';

/** What the visitor has chosen on this site, in `localStorage`. */
const choice = {
  get(): 'yes' | 'no' | null {
    try {
      const value = localStorage.getItem(name);
      return value === 'yes' || value === 'no' ? value : null;
    } catch {
      // Storage is blocked: the offer is repeated on the next page.
      return null;
    }
  },
  set(value: 'yes' | 'no'): void {
    try {
      localStorage.setItem(name, value);
    } catch {
      // Storage is blocked.
    }
  },
};

/** Whether a page can show notices. On touch screens browsers leave that to service workers. */
const isSupported = (): boolean => 'Notification' in window && matchMedia('(any-pointer: fine)').matches;

const styles = css`
  .notify {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25em 1.25em;
    padding: 0.5em var(--_space);
    color: var(--_muted);
  }

  .notify > * {
    font-size: 0.875em;
  }

  /* In a low panel, the conversation needs the room. */
  @container (height < 30em) {
    .notify {
      display: none;
    }
  }

  .notify p {
    flex: 1 1 100%;
  }

  /* In line with the question. */
  .notify button {
    margin-inline: -0.3em;
  }
`;

const isReply = (message: ChatMessage): boolean => message.role === 'assistant' && message.ending === 'whole';

/** Returns the newest reply that a change of the state has added, or null. */
const addedReply = ({ messages }: ConversationState, previous: ConversationState): ChatMessage | null => {
  const newest = messages.findLast(isReply);
  return newest && newest !== previous.messages.findLast(isReply) ? newest : null;
};

class NotifyElement extends PrivateElement {
  static override properties = { chosen: { state: true }, isBlocked: { state: true } };

  declare chosen: 'yes' | 'no' | null;
  declare isBlocked: boolean;
  readonly #store = new StoreController(
    this,
    (state) => ({
      // Nobody replies any more in a conversation that has ended.
      isAwaiting: state.state !== 'closed' && state.messages.some(({ role }) => role === 'user'),
    }),
    (state, event, previous) => {
      // What is restored has been read, or is counted beside the launcher.
      const reply = event.type === 'restored' ? null : addedReply(state, previous);
      if (reply && document.hidden) this.#show(reply);
    },
  );

  constructor() {
    super();
    this.chosen = choice.get();
    this.isBlocked = false;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { notify, dismiss } = this.#store.strings;
    if (this.isBlocked) return html`<div class="notify" role="status"><p>${notify.blocked}</p></div>`;
    if (this.chosen || !this.#store.slice.isAwaiting || !isSupported() || Notification.permission === 'denied')
      return nothing;
    return html`
      <div class="notify" part="banner">
        <p>${notify.offer}</p>
        <button class="text-button" @click=${this.#onAllow}>${notify.allow}</button>
        <button class="text-button" @click=${() => this.#choose('no')}>${dismiss}</button>
      </div>
    `;
  }

  #choose(chosen: 'yes' | 'no'): void {
    choice.set(chosen);
    this.chosen = chosen;
  }

  readonly #onAllow = async (): Promise<void> => {
    const permission = await Notification.requestPermission();
    if (permission === 'granted') this.#choose('yes');
    else if (permission === 'denied') this.isBlocked = true;
  };

  /** Shows who has replied, and not what: other people may see the screen. */
  #show(message: ChatMessage): void {
    if (this.chosen !== 'yes' || !isSupported() || Notification.permission !== 'granted') return;
    const { strings, heading, avatar, languageTag, dir } = this.#store.view;
    const author = (message.role === 'assistant' && message.author) || heading;
    const notice = new Notification(strings.notify.replied(author), {
      tag: name,
      lang: languageTag,
      dir,
      ...(avatar && { icon: avatar }),
    });
    notice.addEventListener('click', () => {
      focus();
      this.#store.chat.open();
      notice.close();
    });
  }
}

/** Adds the styles of the offer to a panel, and defines it. */
export const addNotify = (root: ShadowRoot): void => {
  adopt(root, styles.styleSheet!);
  defineElements({ 'workspace-chat-notify': NotifyElement });
};
