/** What blocks have in common: their frame, a link, and the moment of choosing. */
import { html, nothing, type TemplateResult } from 'lit';
import type { BlockContext } from './block-context.ts';

const titleId = (context: BlockContext) => `block-${context.key}`;

/** @param part What the block is called among the parts, beside `block`; empty for nothing. */
export const frame = (context: BlockContext, part: string, title: string, content: unknown): TemplateResult => html`
  <div
    class="block ${part && `block-${part}`}"
    part="block ${part}"
    role="group"
    aria-labelledby=${title ? titleId(context) : nothing}
  >
    ${title ? html`<p class="block-title" id=${titleId(context)} dir="auto">${title}</p>` : nothing} ${content}
  </div>
`;

/** The focus stays at the block: what held it goes with the answer. */
export const keepFocus = (inside: Element): void => {
  const block = inside.closest<HTMLElement>('.block') ?? inside.querySelector<HTMLElement>('.block')!;
  block.tabIndex = -1;
  block.focus({ preventScroll: true });
};

/** A listener that sends `text`. */
export const choose =
  (context: BlockContext, text: string) =>
  ({ currentTarget }: Event): void => {
    if (context.submit(text)) keepFocus(currentTarget as Element);
  };

/** Marks what was chosen or sent, for the eye and for the ear. */
export const chosenMark = ({ view }: BlockContext): TemplateResult =>
  html`<span class="chosen"><span class="visually-hidden">${view.strings.chosen}</span></span>`;

/** Names with their values. */
export const rows = (entries: readonly (readonly [name: string, value: string])[]): TemplateResult => html`
  <dl class="block-rows">
    ${entries.map(
      ([name, value]) =>
        html`<dt><bdi>${name}</bdi></dt>
          <dd><bdi>${value}</bdi></dd>`,
    )}
  </dl>
`;
