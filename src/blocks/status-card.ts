/** A status card block: the status of an order, a booking or a request. */
import { html, nothing, type TemplateResult } from 'lit';
import type { StatusCardBlock } from '../../contract/wire.ts';
import { directionOfText, renderRuns } from '../markdown/index.ts';
import { languageOf, localize, type BlockContext } from './block-context.ts';
import { formatDateTime, formatRelative } from './format.ts';
import { frame, rows } from './frame.ts';
import { link } from './link.ts';

const tones = ['success', 'warning', 'danger'];

export const statusCard = (block: StatusCardBlock, context: BlockContext): TemplateResult => {
  const { strings, languageTag } = context.view;
  const { tone = '', updated_at: updated, url } = block;
  const status = localize(block.status, context);
  const entries = (block.rows ?? []).map(
    ({ label, value }) => [localize(label, context), localize(value, context)] as const,
  );
  const at = Date.parse(updated ?? '');
  const details = url ? link(context, strings.details, url) : nothing;
  return frame(
    context,
    'card',
    localize(block.title, context),
    html`
      ${status ? html`<p class="chip tone-${tones.includes(tone) ? tone : 'info'}" part="chip" dir=${directionOfText(status)} lang=${languageOf(status, context)}>${renderRuns(status)}</p>` : nothing}
      ${entries.length > 0 ? rows(context, entries) : nothing}
      ${
        at
          ? html`<small
              ><time datetime=${updated} title=${formatDateTime(at, languageTag)}
                >${strings.updated(formatRelative(at, Date.now(), languageTag))}</time
              ></small
            >`
          : nothing
      }
      ${details}
    `,
  );
};
