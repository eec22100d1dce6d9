/** A products block: a list of products, of which the visitor chooses one. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Product, ProductsBlock } from '../../contract/wire.ts';
import { renderRuns, trustedImage } from '../markdown/index.ts';
import { isSubmitted, localize, own, type BlockContext } from './block-context.ts';
import { formatPrice } from './format.ts';
import { choose, chosenMark, frame } from './frame.ts';
import { link } from './link.ts';

const hide = ({ target }: Event) => {
  (target as HTMLImageElement).hidden = true;
};

const image = (product: Product, { view }: BlockContext): TemplateResult | typeof nothing => {
  const address = trustedImage(product.image_url, view.imageHosts);
  return address
    ? html`<img alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer" src=${address} @error=${hide} />`
    : nothing;
};

const renderProduct = (product: Product, context: BlockContext): TemplateResult => {
  const { strings, languageTag } = context.view;
  const { id, price, currency, description, availability } = product;
  const name = localize(product.name, context);
  const textOf = (language: Pick<BlockContext, 'view'>) => `${localize(product.name, language)} ${id ?? ''}`.trim();
  const isChosen = isSubmitted(context, textOf);
  const isOffered = context.submitted === null && availability !== 'out_of_stock';
  return html`<li class="product" part="product">
    ${image(product, context)}
    <div class="about">
      <strong>${isChosen ? chosenMark(context) : nothing}${link(context, name, product.url)}</strong>
      ${description ? html`<small dir="auto">${renderRuns(localize(description, context))}</small>` : nothing}
      <p>
        ${price === undefined ? nothing : html`<bdi class="price">${formatPrice(price, currency, languageTag)}</bdi>`}
        ${
          availability
            ? html`<small class="stock ${availability === 'in_stock' ? 'in-stock' : ''}"
                >${own(strings.availability, availability) ?? availability.replaceAll('_', ' ')}</small
              >`
            : nothing
        }
      </p>
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
  );
