/** The blocks of one reply. Their code is loaded with the first reply that has any. */
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Block } from '../../contract/wire.ts';
import { formDraftKey, isBusy, type AgentMessage, type LiveReply } from '../chat/state/state.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { adoptStyles } from '../styles/adopt-styles.ts';
import { defineElements } from './define-elements.ts';

type Blocks = typeof import('../blocks/index.ts');

let blocks: Blocks | null = null;

/** Loads the code of the blocks and defines their elements. */
export const importBlocks = async (): Promise<void> => {
  blocks ??= await import('../blocks/index.ts');
  defineElements(blocks.blockElements);
};

export class MessageBlocksElement extends LitElement {
  static override properties: PropertyDeclarations = { reply: { attribute: false }, hasFailed: { state: true } };

  declare reply: AgentMessage | LiveReply;
  /** Whether the code of the blocks could not be loaded. */
  declare hasFailed: boolean | undefined;
  readonly #store = new StoreController(this, (state) => ({
    submitted: state.submitted,
    isBusy: isBusy(state) || state.isOtherTabBusy,
  }));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.hasFailed) return this.#renderFailure();
    if (!blocks) return nothing;
    adoptStyles(this, blocks.blockStyles);
    return html`<div class="blocks">
      ${this.reply.blocks.map((block, index) => this.#renderBlock(blocks!, block, index))}
    </div>`;
  }

  #renderBlock({ renderBlock }: Blocks, block: Block, index: number): unknown {
    const { view, conversation, openLink } = this.#store.chat;
    const { submitted, isBusy } = this.#store.slice;
    const key = formDraftKey(this.reply.key, index);
    return renderBlock(block, {
      key,
      view: view.state,
      submitted: submitted[key] ?? null,
      isBusy,
      submit: (text, form) => conversation.submitBlock(key, text, form),
      openLink,
    });
  }

  #renderFailure(): TemplateResult {
    const { strings } = this.#store;
    return html`<button class="text-button" @click=${this.#load}>${strings.chunkFailed}</button>`;
  }

  readonly #load = async (): Promise<void> => {
    if (blocks) return;
    try {
      await importBlocks();
      this.hasFailed = false;
    } catch {
      // The browser itself logs the failed request.
      this.hasFailed = true;
    }
    this.requestUpdate();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat-blocks': MessageBlocksElement;
  }
}
