/** The blocks of one reply. */
import { html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Block } from '../../contract/wire.ts';
import type { Submission } from '../chat/state/chat-event.ts';
import { formDraftKey, isBusy, type AgentMessage, type LiveReply } from '../chat/state/state.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { BlockContext } from '../blocks/block-context.ts';
import { blockStyles, renderBlock } from '../blocks/index.ts';
import { adoptStyles } from '../styles/adopt-styles.ts';

export class MessageBlocksElement extends LitElement {
  static override properties: PropertyDeclarations = { reply: { attribute: false } };

  declare reply: AgentMessage | LiveReply;
  readonly #store = new StoreController(this, (state) => ({
    submitted: state.submitted,
    isBusy: isBusy(state) || state.isOtherTabBusy,
  }));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    adoptStyles(this, blockStyles);
    return html`<div class="blocks">${this.reply.blocks.map((block, index) => this.#renderBlock(block, index))}</div>`;
  }

  #renderBlock(block: Block, index: number): unknown {
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
    return renderBlock(block, context);
  }

  /** Sends the text that a block submits, once: not during a turn, not twice, and not when the page rejects it. */
  #submit(key: string, text: string, { label, form }: Submission = {}): boolean {
    const { conversation } = this.#store.chat;
    const { state } = conversation.store;
    if (isBusy(state) || key in state.submitted || !conversation.send(text, label)) return false;
    conversation.store.dispatch({ type: 'block-submitted', key, text: text.trim(), form });
    return true;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat-blocks': MessageBlocksElement;
  }
}
