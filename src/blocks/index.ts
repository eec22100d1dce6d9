/** Renders the blocks of a reply: with the page's renderer, with the built-in one, or as text and links. */
import { html } from 'lit';
import type { Block } from '../../contract/wire.ts';
import type { BlockHost, BlockRenderer } from '../controllers/block-registry.ts';
import type { BlockContext } from './block-context.ts';
import { FormElement } from './form.ts';
import { frame } from './frame.ts';
import { links } from './links.ts';
import { OpenTimesElement } from './open-times.ts';
import { options } from './options.ts';
import { products } from './products.ts';
import { statusCard } from './status-card.ts';
import { unknownBlock } from './unknown.ts';

export type { BlockContext } from './block-context.ts';
export { blockStyles } from './block-styles.ts';

export const blockElements: Record<string, CustomElementConstructor> = {
  'workspace-chat-form': FormElement,
  'workspace-chat-open-times': OpenTimesElement,
};

const renderBuiltIn = (block: Block, context: BlockContext): unknown => {
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
    case 'unknown':
      return unknownBlock(block.original, context);
    default:
      return unknownBlock(block satisfies never, context);
  }
};

interface RenderedBlock {
  readonly renderer: BlockRenderer;
  readonly languageTag: string;
  readonly submitted: string | null;
  readonly result: Node | string | null;
}

/** The results of the page's renderers, so that a node stays in place until its renderer has to run again. */
const rendered = new WeakMap<Block, RenderedBlock>();

const renderWithPage = (renderer: BlockRenderer, block: Block, context: BlockContext): Node | string | null => {
  const { view, submitted } = context;
  const { languageTag, dir } = view;
  const before = rendered.get(block);
  if (before?.renderer === renderer && before.languageTag === languageTag && before.submitted === submitted) {
    return before.result;
  }
  let result: HTMLElement | string | null = null;
  try {
    const host: BlockHost = {
      language: dir === 'rtl' ? 'ar' : 'en',
      languageTag,
      dir,
      submitted,
      send: (text) => context.submit(text.trim()),
    };
    const made: unknown = renderer(block.type === 'unknown' ? block.original : block, host);
    if (typeof made === 'string') result = made;
    else if (made instanceof Node) {
      // Lit calls members of the nodes that it places. A form's fields can hide those of the form.
      result = document.createElement('div');
      result.append(made);
    }
  } catch (error) {
    console.error('workspace-chat: the page’s renderer of a block failed.', error);
  }
  rendered.set(block, { renderer, languageTag, submitted, result });
  return result;
};

export const renderBlock = (block: Block, context: BlockContext): unknown => {
  const renderer = context.view.renderers.get(block.type === 'unknown' ? block.name : block.type);
  const own = renderer ? renderWithPage(renderer, block, context) : null;
  return own === null ? renderBuiltIn(block, context) : frame(context, '', '', own);
};
