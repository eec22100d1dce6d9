/** Renders blocks with the page's own renderers. */
import type { Block } from '../../contract/wire.ts';
import type { BlockFields, BlockHost, BlockRenderer } from '../controllers/block-renderer.ts';
import type { BlockContext } from './block-context.ts';
import { frame } from './frame.ts';

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
  const { language, languageTag, dir } = view;
  const before = rendered.get(block);
  if (before?.renderer === renderer && before.languageTag === languageTag && before.submitted === submitted) {
    return before.result;
  }
  let result: HTMLElement | string | null = null;
  try {
    const host: BlockHost = {
      language,
      languageTag,
      dir,
      submitted,
      send: (text) => context.submit(text.trim()),
    };
    const fields = (block.type === 'unknown' ? block.original : block) as BlockFields;
    const made: unknown = renderer(fields, host);
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

/** Returns null when the page has no renderer for the block, or its renderer returns nothing. */
export const renderPageBlock = (block: Block, context: BlockContext): unknown => {
  const renderer = context.view.renderers.get(block.type === 'unknown' ? block.name : block.type);
  const own = renderer ? renderWithPage(renderer, block, context) : null;
  return own === null ? null : frame(context, '', '', own);
};
