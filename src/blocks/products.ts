/** A products block: a list of products, of which the visitor chooses one. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Product, ProductsBlock } from '../../contract/wire.ts';
import { countedText } from '../locale/counted-text.ts';
import { trustedImage } from '../markdown/index.ts';
import { isSubmitted, localize, own, type BlockContext } from './block-context.ts';
import { formatPrice } from './format.ts';
import { choose, chosenMark, description as descriptionOf, frame } from './frame.ts';
import { link } from './link.ts';

const hide = ({ target }: Event) => {
  (target as HTMLImageElement).hidden = true;
};

/** Renders the picture over the initial of the name, which stands in for a picture that is missing. */
const tile = (product: Product, name: string, { view }: BlockContext): TemplateResult => {
  const address = trustedImage(product.image_url, view.imageHosts);
  return html`<span class="tile"
    ><span aria-hidden="true">${/\p{L}/u.exec(name)?.[0].toUpperCase()}</span>${
      address
        ? html`<img
            alt=""
            loading="lazy"
            decoding="async"
            referrerpolicy="no-referrer"
            src=${address}
            @error=${hide}
          />`
        : nothing
    }</span
  >`;
};

const renderProduct = (product: Product, context: BlockContext): TemplateResult => {
  const { strings, languageTag } = context.view;
  const { id, price, currency, description, availability } = product;
  const name = localize(product.name, context);
  const textOf = (language: Pick<BlockContext, 'view'>) => `${localize(product.name, language)} ${id ?? ''}`.trim();
  const isChosen = isSubmitted(context, textOf);
  const isOffered = context.submitted === null && availability !== 'out_of_stock';
  return html`<li class="product" part="product">
    ${tile(product, name, context)}
    <div class="about">
      <strong>${isChosen ? chosenMark(context) : nothing}${link(context, name, product.url)}</strong>
      ${
        price === undefined
          ? nothing
          : html`<div class="price"><bdi>${formatPrice(price, currency, languageTag)}</bdi></div>`
      }
      ${description ? descriptionOf(localize(description, context), context) : nothing}
      <div class="line">
        ${
          availability
            ? html`<small class="stock ${availability === 'in_stock' ? 'in-stock' : ''}"
                >${own(strings.availability, availability) ?? availability.replaceAll('_', ' ')}</small
              >`
            : nothing
        }
        ${
          isOffered
            ? html`<button
                class="button"
                part="button"
                ?disabled=${context.isBusy}
                @click=${choose(context, textOf(context), name)}
              >
                ${strings.choose}<span class="visually-hidden"> ${name}</span>
              </button>`
            : nothing
        }
      </div>
    </div>
  </li>`;
};

export const products = ({ items }: ProductsBlock, context: BlockContext): TemplateResult =>
  frame(
    context,
    '',
    '',
    html`<ul class="block-list">
      ${items.map((product) => renderProduct(product, context))}
    </ul>`,
    countedText(
      context.view.strings.blockNames.products,
      context.view.pluralRule,
      items.length,
      context.view.languageTag,
    ),
  );
