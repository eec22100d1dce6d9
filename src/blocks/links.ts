/** A links block. */
import { html, nothing, type TemplateResult } from 'lit';
import type { LinksBlock } from '../../contract/wire.ts';
import { countedText } from '../locale/counted-text.ts';
import { localize, type BlockContext } from './block-context.ts';
import { description as descriptionOf, frame } from './frame.ts';
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
            ${description ? descriptionOf(localize(description, context), context, context.openLink) : nothing}
          </li>`,
      )}
    </ul>`,
    countedText(context.view.strings.blockNames.links, context.view.pluralRule, links.length, context.view.languageTag),
  );
