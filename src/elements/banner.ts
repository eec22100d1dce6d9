/** The banner: one line above the composer that explains a wait or a limitation. */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import { formatSeconds } from '../locale/format.ts';

export class BannerElement extends LitElement {
  readonly #store = new StoreController(this, ({ turn, isOtherTabBusy, isMemoryOnly, messages }) => ({
    wait: turn.status === 'waiting' ? turn : null,
    isOtherTabBusy,
    isUnsaved: isMemoryOnly && messages.length > 0,
  }));
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
    const { strings, chat } = this.#store;
    const { wait, isOtherTabBusy, isUnsaved } = this.#store.slice;
    clearTimeout(this.#timer);
    if (wait) {
      if (wait.until === null) return strings.waiting[wait.reason]('');
      const seconds = Math.max(1, Math.ceil((wait.until - performance.now()) / 1000));
      this.#timer = setTimeout(() => this.requestUpdate(), 1000);
      return strings.waiting[wait.reason](formatSeconds(seconds, chat.view.state.languageTag));
    }
    if (isOtherTabBusy) return strings.replyingInOtherTab;
    return isUnsaved ? strings.memoryOnly : '';
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
