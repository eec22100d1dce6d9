/** The blocks of one answer. */
import { html, LitElement, type TemplateResult } from 'lit';
import type { Block } from '../../contract/wire.ts';
import { drawBlock } from '../blocks/index.ts';
import { formDraftKey, isBusy, type AgentMessage, type LiveAnswer } from '../chat/state/state.ts';
import { StoreController } from '../controllers/store-controller.ts';

export class BlocksElement extends LitElement {
  static override properties = { answer: { attribute: false } };

  declare answer: AgentMessage | LiveAnswer;
  readonly #state = new StoreController(
    this,
    (state) => [state.submitted, isBusy(state) || state.isElsewhere] as const,
  );

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const { view, submitBlock, openLink } = this.#state.chat;
    const [submitted, isBusy] = this.#state.value;
    const draw = (block: Block, index: number) => {
      const key = formDraftKey(this.answer.key, index);
      return drawBlock(block, {
        key,
        view: view.state,
        submitted: submitted[key] ?? null,
        isBusy,
        submit: (text, form) => submitBlock(key, text, form),
        openLink,
      });
    };
    return html`<div class="blocks">${this.answer.blocks.map(draw)}</div>`;
  }
}
