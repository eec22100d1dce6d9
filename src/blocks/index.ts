/** Renders the blocks of a reply. */
import { html } from 'lit';
import type { Block } from '../../contract/wire.ts';
import type { BlockContext } from './block-context.ts';
import { FormElement } from './form.ts';
import { links } from './links.ts';
import { OpenTimesElement } from './open-times.ts';
import { options } from './options.ts';
import { renderPageBlock } from './page-blocks.ts';
import { products } from './products.ts';
import { statusCard } from './status-card.ts';
import { UnknownBlockElement } from './unknown.ts';

export { blockStyles } from './block-styles.ts';

export const blockElements: Record<string, CustomElementConstructor> = {
  'workspace-chat-form': FormElement,
  'workspace-chat-open-times': OpenTimesElement,
  'workspace-chat-unknown-block': UnknownBlockElement,
};

/** Renders a block with the page's renderer for it, or else as the widget does. */
export const renderBlock = (block: Block, context: BlockContext): unknown =>
  renderPageBlock(block, context) ?? renderOwnBlock(block, context);

const renderOwnBlock = (block: Block, context: BlockContext): unknown => {
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
