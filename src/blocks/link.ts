/** Renders a link of a block or a source. Every URL passes the gate of `safeUrl`. */
import { html, nothing, type TemplateResult } from 'lit';
import { directionOfText, hostToShow, renderRuns, safeUrl } from '../markdown/index.ts';
import { languageOf, type BlockContext } from './block-context.ts';

/**
 * Renders a text as a link to the URL, or as plain text when the URL is not safe.
 * @param kind The CSS class, and the CSS part.
 * @param before Stands in front of the text.
 */
export const link = (
  { openLink, view }: Pick<BlockContext, 'openLink' | 'view'>,
  text: string,
  url: string | undefined,
  kind: 'link' | 'chip' = 'link',
  before: TemplateResult | typeof nothing = nothing,
): TemplateResult => {
  const address = url ? safeUrl(url) : null;
  const [dir, lang] = [directionOfText(text, view.dir), languageOf(text, { view })];
  if (!address)
    return html`<span class=${kind} part=${kind === 'link' ? nothing : kind} dir=${dir} lang=${lang}
      >${before}${renderRuns(text)}</span
    >`;
  const open = (event: Event) => {
    if (!openLink(address)) event.preventDefault();
  };
  return html`<a
    class=${kind}
    part=${kind}
    dir=${dir}
    lang=${lang}
    href=${address}
    data-host=${hostToShow(text, address, view.linkHosts) ?? nothing}
    target="_blank"
    rel="noopener noreferrer nofollow"
    @click=${open}
    >${before}${renderRuns(text)}</a
  >`;
};
