/** The thumbs below a reply, and the field for a comment that follows them. Loaded when the page wants feedback. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { FeedbackRating } from '../controllers/chat-context.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { adopt } from '../styles/adopt.ts';
import { thumbIcon } from './action-icons.ts';
import { defineElements } from './define-elements.ts';
import { PrivateElement } from './private-element.ts';

/** The longest comment, in characters. */
const maxCommentLength = 1000;

const feedbackStyles = css`
  workspace-chat-feedback {
    display: contents;
  }

  .feedback.down svg {
    transform: scale(-1);
  }

  .feedback[aria-pressed='true'] {
    color: var(--_accent-text);
  }

  .feedback[aria-pressed='true'] svg {
    fill: color-mix(in oklab, currentcolor 25%, transparent);
  }

  /* The time, copy, the thumbs, and room for the field below them. */
  .agent .meta:has(.feedback) {
    grid-template-columns: minmax(min-content, max-content) repeat(3, auto) 1fr;
  }

  .agent .meta:has(.comment) {
    inline-size: 100%;
  }

  .meta .up {
    grid-area: 1 / 3;
  }

  .meta .down {
    grid-area: 1 / 4;
  }

  .agent .meta .comment,
  .agent .meta .thanks {
    grid-column: 1 / -1;
  }

  .comment {
    display: flex;
    gap: 0.5em;
    inline-size: min(24em, 100%);
    margin-block: 0.25em;
    /* The line around it has smaller text. */
    font-size: 1.1667em;
  }

  .comment input {
    flex: 1;
    min-inline-size: 0;
  }
`;

class FeedbackElement extends PrivateElement {
  static override properties = {
    messageId: { attribute: false },
    rating: { state: true },
    step: { state: true },
  };

  /** The id of the Message. */
  declare messageId: string;
  /** What the visitor thinks of the reply. Forgotten with the page. */
  declare rating: FeedbackRating | null;
  declare step: 'rating' | 'commenting' | 'sent';
  readonly #chat = new StoreController(this);

  constructor() {
    super();
    this.rating = null;
    this.step = 'rating';
    this.addEventListener('keydown', this.#onKeydown);
  }

  protected override render(): TemplateResult {
    const { feedback, send, sent } = this.#chat.strings;
    const thumb = (rating: FeedbackRating, name: 'up' | 'down') => html`
      <button
        class="icon-button feedback ${name}"
        part="icon-button feedback"
        title=${feedback[name]}
        aria-pressed=${this.rating === rating}
        @click=${() => this.#rate(rating)}
      >
        ${thumbIcon}
      </button>
    `;
    return html`
      ${thumb(1, 'up')}${thumb(-1, 'down')}
      ${
        this.step === 'commenting'
          ? html`<form class="comment own-form" part="feedback" @submit=${this.#onSubmit}>
              <input
                dir="auto"
                maxlength=${maxCommentLength}
                aria-label=${feedback.comment}
                placeholder=${feedback.comment}
              />
              <button class="button" part="button">${send}</button>
            </form>`
          : nothing
      }
      <span class="thanks" role="status" ?hidden=${this.step !== 'sent'}>${this.step === 'sent' ? sent : ''}</span>
    `;
  }

  #rate(rating: FeedbackRating): void {
    if (rating === this.rating) return;
    this.rating = rating;
    this.step = 'commenting';
    this.#chat.chat.rate(this.messageId, rating, '');
    void this.updateComplete.then(() => {
      // On touch screens, the keyboard would cover the reply.
      if (matchMedia('(pointer: fine)').matches) this.querySelector('input')?.focus();
    });
  }

  readonly #onSubmit = (event: Event): void => {
    event.preventDefault();
    const comment = this.querySelector('input')!.value.trim();
    if (comment) this.#chat.chat.rate(this.messageId, this.rating!, comment);
    this.step = comment ? 'sent' : 'rating';
  };

  /** Closes the field at Escape, which would close the panel. */
  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing || this.step !== 'commenting') return;
    event.preventDefault();
    event.stopPropagation();
    this.step = 'rating';
    this.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  };
}

/** Adds the styles of the thumbs to a panel, and defines them. Those that are on the page already work from now on. */
export const addFeedback = (root: ShadowRoot): void => {
  adopt(root, feedbackStyles.styleSheet!);
  defineElements({ 'workspace-chat-feedback': FeedbackElement });
};
