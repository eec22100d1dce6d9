/** The blocks of one reply. Their code is loaded with the first reply that has any. */
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Block } from '../../contract/wire.ts';
import type { Submission } from '../chat/state/chat-event.ts';
import { formDraftKey, isBusy, type AgentMessage, type LiveReply } from '../chat/state/state.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { BlockContext } from '../blocks/block-context.ts';
import { importRuns } from '../markdown/index.ts';
import { adoptStyles } from '../styles/adopt-styles.ts';
import { defineElements, defineLater } from './define-elements.ts';

type Blocks = typeof import('../blocks/index.ts');

let blocks: Blocks | null = null;
/** The code for the page's own renderers. */
let page: typeof import('../blocks/page-blocks.ts') | null = null;

/** Loads the code of the blocks and defines their elements. Blocks are rendered when all of it is there. */
export const importBlocks = async (): Promise<void> => {
  await importRuns();
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

  protected override render(): TemplateResult | typeof nothing {
    if (this.hasFailed) return this.#renderFailure();
    const { renderers } = this.#store.chat.view.state;
    if (!blocks || (renderers.size > 0 && !page)) {
      void this.#load(renderers.size > 0);
      return nothing;
    }
    adoptStyles(this, blocks.blockStyles);
    if (this.reply.blocks.some(({ type }) => type === 'unknown')) defineLater(import('../blocks/unknown.ts'), this);
    return html`<div class="blocks">
      ${this.reply.blocks.map((block, index) => this.#renderBlock(blocks!, block, index))}
    </div>`;
  }

  #renderBlock({ renderBlock }: Blocks, block: Block, index: number): unknown {
    const { view, openLink } = this.#store.chat;
    const { submitted, isBusy } = this.#store.slice;
    const key = formDraftKey(this.reply.key, index);
    const context: BlockContext = {
      key,
      view: view.state,
      submitted: submitted[key] ?? null,
      isBusy,
      submit: (text, submission) => this.#submit(key, text, submission),
      openLink,
    };
    return page?.renderPageBlock(block, context) ?? renderBlock(block, context);
  }

  /** Sends the text that a block submits, once: not during a turn, not twice, and not when the page rejects it. */
  #submit(key: string, text: string, { label, form }: Submission = {}): boolean {
    const { conversation } = this.#store.chat;
    const { state } = conversation.store;
    if (isBusy(state) || key in state.submitted || !conversation.send(text, label)) return false;
    conversation.store.dispatch({ type: 'block-submitted', key, text: text.trim(), form });
    return true;
  }

  #renderFailure(): TemplateResult {
    const { strings } = this.#store;
    return html`<button class="text-button" @click=${this.#onRetry}>${strings.chunkFailed}</button>`;
  }

  async #load(hasPageRenderers: boolean): Promise<void> {
    try {
      await importBlocks();
      if (hasPageRenderers) page ??= await import('../blocks/page-blocks.ts');
    } catch {
      // The browser itself logs the failed request.
      this.hasFailed = true;
    }
    this.requestUpdate();
  }

  #onRetry(): void {
    this.hasFailed = false;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat-blocks': MessageBlocksElement;
  }
}
