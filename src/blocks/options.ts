/** An options block: a prompt with buttons, of which the visitor chooses one. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Option, OptionsBlock } from '../../contract/wire.ts';
import { renderRuns } from '../markdown/index.ts';
import { isSubmitted, localize, type BlockContext } from './block-context.ts';
import { choose, chosenMark, frame } from './frame.ts';

export const options = ({ prompt, options }: OptionsBlock, context: BlockContext): TemplateResult => {
  const option = ({ label, value, description }: Option) => {
    const textOf = (language: Pick<BlockContext, 'view'>) => (value ?? localize(label, language)).trim();
    return html`<button
      class="button option"
      part="option"
      ?disabled=${context.isBusy || context.submitted !== null}
      @click=${choose(context, textOf(context), localize(label, context))}
    >
      ${isSubmitted(context, textOf) ? chosenMark(context) : nothing}<span dir="auto"
        >${renderRuns(localize(label, context))}</span
      >
      ${description ? html`<small dir="auto">${renderRuns(localize(description, context))}</small>` : nothing}
    </button>`;
  };
  return frame(context, 'options', localize(prompt, context), html`<div class="options">${options.map(option)}</div>`);
};
