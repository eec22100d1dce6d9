/** One line above the composer: what the conversation is waiting for, or what the visitor should know of it. */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import { formatSeconds } from '../locale/format.ts';

export class BannerElement extends LitElement {
  readonly #state = new StoreController(
    this,
    ({ turn, isElsewhere, isMemoryOnly, messages }) =>
      [turn.status === 'waiting' ? turn : null, isElsewhere, isMemoryOnly && messages.length > 0] as const,
  );
  #timer: ReturnType<typeof setTimeout> | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override render(): TemplateResult | typeof nothing {
    const text = this.#text();
    return text ? html`<p class="banner" part="banner">${text}</p>` : nothing;
  }

  #text(): string {
    const { strings, value, chat } = this.#state;
    const [turn, isElsewhere, isMemoryOnly] = value;
    clearTimeout(this.#timer);
    if (turn) {
      if (turn.until === null) return strings.waiting[turn.reason]('');
      const seconds = Math.max(1, Math.ceil((turn.until - Date.now()) / 1000));
      this.#timer = setTimeout(() => this.requestUpdate(), 1000);
      return strings.waiting[turn.reason](formatSeconds(seconds, chat.view.state.languageTag));
    }
    if (isElsewhere) return strings.answeringElsewhere;
    return isMemoryOnly ? strings.memoryOnly : '';
  }
}

export const bannerStyles = css`
  .banner {
    margin: 0;
    padding: 0.5em var(--_space);
    border-block-start: 1px solid var(--_border);
    background: var(--_surface-raised);
    font-size: 0.8125em;
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }
`;
