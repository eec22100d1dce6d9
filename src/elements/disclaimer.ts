/** The notice that replies are written by an assistant, with the link to the privacy notice. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../locale/strings.ts';
import { pageUrl } from '../markdown/index.ts';

/**
 * Rendered below the composer, and in the transcript of a low panel.
 * @param isPersonReplying Whether a person of the team replies instead of the assistant.
 */
export const disclaimer = (
  { notice: assistantNotice, privacyLabel, privacyUrl }: Strings,
  isPersonReplying: boolean,
): TemplateResult | typeof nothing => {
  const notice = isPersonReplying ? '' : assistantNotice;
  const url = privacyUrl ? pageUrl('privacyUrl', privacyUrl) : null;
  if (!notice && !url) return nothing;
  return html`<p class="disclaimer">
    ${notice} ${url ? html`<a href=${url} target="_blank" rel="noopener">${privacyLabel}</a>` : nothing}
  </p>`;
};
