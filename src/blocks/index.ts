/** Renders the blocks of a reply. */
import { html } from 'lit';
import type { Block } from '../../contract/wire.ts';
import type { BlockContext } from './block-context.ts';
import { FormElement } from './form.ts';
import { links } from './links.ts';
import { OpenTimesElement } from './open-times.ts';
import { options } from './options.ts';
import { products } from './products.ts';
import { statusCard } from './status-card.ts';

export type { BlockContext } from './block-context.ts';
export { localise } from './block-context.ts';
export { blockStyles } from './block-styles.ts';
export { frame } from './frame.ts';
export { link } from './link.ts';

export const blockElements: Record<string, CustomElementConstructor> = {
  'workspace-chat-form': FormElement,
  'workspace-chat-open-times': OpenTimesElement,
};

/** Renders a block as the widget does. See `renderPageBlock` for the page's renderers. */
export const renderBlock = (block: Block, context: BlockContext): unknown => {
  switch (block.type) {
    case 'form':
      return html`<workspace-chat-form .block=${block} .context=${context}></workspace-chat-form>`;
    case 'open_times':
      return html`<workspace-chat-open-times .block=${block} .context=${context}></workspace-chat-open-times>`;
    case 'options':
      return options(block, context);
    case 'status_card':
      return statusCard(block, context);
    case 'products':
      return products(block, context);
    case 'links':
      return links(block, context);
    default:
      return html`<workspace-chat-unknown-block
        .original=${block.original}
        .context=${context}
      ></workspace-chat-unknown-block>`;
  }
};
