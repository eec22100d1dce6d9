/** The question how a conversation was, when the team has handed it back or it has ended. Loaded when the page wants it. */
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { FeedbackRating } from '../controllers/chat-context.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { tabFlag } from '../chat/storage/tab-flag.ts';
import { adopt } from '../styles/adopt.ts';
import { thumbIcon } from './action-icons.ts';
import { defineElements } from './define-elements.ts';
import { PrivateElement } from './private-element.ts';

/** The longest comment, in characters. */
const maxCommentLength = 1000;

const ratingStyles = css`
  workspace-chat-rating {
    display: block;
    margin-block: 0.75em;
  }

  .rating {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    gap: 0.6em;
    padding: 1em;
    border: 1px solid var(--_border);
    border-radius: 1em;
    background: var(--_surface-raised);
    text-align: center;
  }

  .rating .thumbs,
  .rating form {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0.5em;
  }

  .rating form {
    inline-size: 100%;
  }

  .rating .button {
    display: inline-flex;
    align-items: center;
    gap: 0.4em;
    overflow-wrap: normal;
  }

  .rating .button svg {
    inline-size: 1.15em;
    block-size: 1.15em;
  }

  .rating .bad svg {
    transform: scale(-1);
  }

  .rating [aria-pressed='true'] {
    border-color: currentcolor;
    color: var(--_accent-text);
  }

  /* Large text in a narrow panel. */
  @container (width < 15em) {
    .rating {
      padding-inline: 0.25em;
    }
  }

  .rating input {
    flex: 1 1 8em;
    min-inline-size: 0;
    padding-block: 0.45em;
  }
`;

class RatingElement extends PrivateElement {
  static override properties: PropertyDeclarations = {
    conversationId: { attribute: false },
    rating: { state: true },
    isSent: { state: true },
  };

  declare conversationId: string;
  declare rating: FeedbackRating | null;
  declare isSent: boolean;
  readonly #chat = new StoreController(this);

  constructor() {
    super();
    this.rating = null;
    this.isSent = false;
  }

  get #ratedFlag() {
    return tabFlag(`workspace-chat-rated ${this.conversationId}`);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { rating: texts, feedback, send } = this.#chat.strings;
    if (this.rating === null && this.#ratedFlag.get()) return nothing;
    const thumb = (rating: FeedbackRating, name: 'good' | 'bad') => html`
      <button
        class="button ${name}"
        part="button feedback"
        aria-pressed=${this.rating === rating}
        @click=${() => this.#rate(rating)}
      >
        ${thumbIcon}${texts[name]}
      </button>
    `;
    const question = html`
      <div class="rating" part="feedback" role="group" aria-label=${texts.question}>
        <p>${texts.question}</p>
        <div class="thumbs">${thumb(1, 'good')}${thumb(-1, 'bad')}</div>
        ${
          this.rating === null
            ? nothing
            : html`<form class="own-form" @submit=${this.#onSubmit}>
                <input
                  dir="auto"
                  maxlength=${maxCommentLength}
                  aria-label=${feedback.comment}
                  placeholder=${feedback.comment}
                />
                <button class="button" part="button">${send}</button>
              </form>`
        }
      </div>
    `;
    const { isSent } = this;
    // The region stays in the document, so that its text is announced.
    return html`
      ${isSent ? nothing : question}
      <p class=${isSent ? 'rating' : nothing} role="status">${isSent ? texts.thanks : ''}</p>
    `;
  }

  #rate(rating: FeedbackRating): void {
    if (rating === this.rating) return;
    this.rating = rating;
    this.#ratedFlag.set(true);
    this.#chat.chat.rateConversation(this.conversationId, rating, '');
  }

  readonly #onSubmit = (event: Event): void => {
    event.preventDefault();
    const comment = this.querySelector('input')!.value.trim();
    if (comment) this.#chat.chat.rateConversation(this.conversationId, this.rating!, comment);
    this.isSent = true;
  };
}

/** Adds the styles of the question to a panel, and defines it. */
export const addRating = (root: ShadowRoot): void => {
  adopt(root, ratingStyles.styleSheet!);
  defineElements({ 'workspace-chat-rating': RatingElement });
};
