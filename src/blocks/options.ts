/** An options block: a prompt with buttons, of which the visitor chooses one. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Option, OptionsBlock } from '../../contract/wire.ts';
import { directionOfText, renderRuns } from '../markdown/index.ts';
import { isSubmitted, languageOf, localize, type BlockContext } from './block-context.ts';
import { choose, chosenMark, description as descriptionOf, frame } from './frame.ts';

export const options = ({ prompt, options }: OptionsBlock, context: BlockContext): TemplateResult => {
  const option = ({ label, value, description }: Option) => {
    const shown = localize(label, context);
    const textOf = (language: Pick<BlockContext, 'view'>) => (value ?? localize(label, language)).trim();
    return html`<button
      class="button option"
      part="option"
      ?disabled=${context.isBusy || context.submitted !== null}
      @click=${choose(context, textOf(context), shown)}
    >
      ${isSubmitted(context, textOf) ? chosenMark(context) : nothing}<span
        dir=${directionOfText(shown)}
        lang=${languageOf(shown, context)}
        >${renderRuns(shown)}</span
      >
      ${description ? descriptionOf(localize(description, context), context) : nothing}
    </button>`;
  };
  return frame(context, 'options', localize(prompt, context), html`<div class="options">${options.map(option)}</div>`);
};
