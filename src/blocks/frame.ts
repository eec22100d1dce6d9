/** The parts that blocks share: the frame, choices, and lists of labels and values. */
import { html, nothing, type TemplateResult } from 'lit';
import { directionOfText, renderRuns } from '../markdown/index.ts';
import { languageOf, type BlockContext } from './block-context.ts';

const titleId = (context: BlockContext) => `block-${context.key}`;

/**
 * @param part The CSS part beside `block`, or an empty string for none.
 * @param label The accessible name of a block without a title.
 */
export const frame = (
  context: BlockContext,
  part: string,
  title: string,
  content: unknown,
  label = '',
): TemplateResult => html`
  <div
    class="block ${part && `block-${part}`}"
    part="block ${part}"
    role="group"
    aria-labelledby=${title ? titleId(context) : nothing}
    aria-label=${label || nothing}
  >
    ${title ? html`<p class="block-title" id=${titleId(context)} dir=${directionOfText(title)} lang=${languageOf(title, context)}>${renderRuns(title)}</p>` : nothing}
    ${content}
  </div>
`;

/** Returns a listener that submits `text`. The transcript shows `label`. */
export const choose = (context: BlockContext, text: string, label: string) => (): void => {
  context.submit(text, { label });
};

/** Marks the chosen or submitted value, visually and for screen readers. */
export const chosenMark = ({ view }: BlockContext): TemplateResult =>
  html`<span class="chosen"><span class="visually-hidden">${view.strings.chosen}</span></span>`;

/** Renders a second text below the first one of an item, and at the same edge also when it has another direction. */
export const description = (text: string, context: BlockContext, openLink?: BlockContext['openLink']): TemplateResult =>
  html`<small
    ><span dir=${directionOfText(text)} lang=${languageOf(text, context)}>${renderRuns(text, openLink)}</span></small
  >`;

/** Renders labels with their values. */
export const rows = (
  context: BlockContext,
  entries: readonly (readonly [name: string, value: string])[],
): TemplateResult => html`
  <dl class="block-rows">
    ${entries.map((entry) => {
      const [name, value] = entry.map(
        (text) =>
          html`<span dir=${directionOfText(text, context.view.dir)} lang=${languageOf(text, context)}
            >${renderRuns(text)}</span
          >`,
      );
      return html`<dt>${name}</dt>
        <dd>${value}</dd>`;
    })}
  </dl>
`;
