/** A links block. */
import { html, nothing, type TemplateResult } from 'lit';
import type { LinksBlock } from '../../contract/wire.ts';
import { renderRuns } from '../markdown/index.ts';
import { localize, type BlockContext } from './block-context.ts';
import { frame } from './frame.ts';
import { link } from './link.ts';

export const links = ({ links }: LinksBlock, context: BlockContext): TemplateResult =>
  frame(
    context,
    '',
    '',
    html`<ul class="block-list">
      ${links.map(
        ({ label, url, description }) =>
          html`<li>
            ${link(context, localize(label, context), url)}
            ${description ? html`<small dir="auto">${renderRuns(localize(description, context), context.openLink)}</small>` : nothing}
          </li>`,
      )}
    </ul>`,
  );
