/** Renders a block of an unknown type, or one that does not fit its type, as its text and its links. */
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { isObject, toOptionalLocalized, toText } from '../api/decode-values.ts';
import { safeUrl } from '../markdown/index.ts';
import { localize, type BlockContext } from './block-context.ts';
import { frame } from './frame.ts';
import { link } from './link.ts';

/** One line of the block, with a URL when it is a link. */
export type Piece = readonly [text: string, url?: string];

const named = ['title', 'label', 'name', 'prompt', 'text', 'message', 'content', 'description', 'status', 'value'];
const linked = ['url', 'href', 'link'];
const most = 20;

/** Collects the lines of a JSON value, in order. */
export const piecesOf = (value: unknown, context: Pick<BlockContext, 'view'>, depth = 0): Piece[] => {
  if (depth > 5) return [];
  if (Array.isArray(value)) return value.flatMap((item) => piecesOf(item, context, depth + 1)).slice(0, most);
  if (!isObject(value)) return [];
  const url = linked.map((key) => safeUrl(toText(value[key]))).find(Boolean);
  const texts = named.map((key) => localize(toOptionalLocalized(value[key]), context)).filter(Boolean);
  const [first, ...others] = texts;
  const own: Piece[] = url
    ? [[first ?? url, url], ...others.map((text): Piece => [text])]
    : texts.map((text) => [text]);
  const inner = Object.values(value).filter((item) => typeof item === 'object');
  return [...own, ...inner.flatMap((item) => piecesOf(item, context, depth + 1))].slice(0, most);
};

export class UnknownBlockElement extends LitElement {
  static override properties: PropertyDeclarations = {
    original: { attribute: false },
    context: { attribute: false },
  };

  declare original: unknown;
  declare context: BlockContext;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { original, context } = this;
    const pieces = piecesOf(original, context);
    if (pieces.length === 0) return nothing;
    return frame(
      context,
      '',
      '',
      pieces.map(([text, url]) => html`<p>${link(context, text, url)}</p>`),
    );
  }
}
