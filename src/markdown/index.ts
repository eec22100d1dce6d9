/** The public functions of the Markdown renderer. */
export { joinTexts } from './join-texts.ts';
export type { MarkdownLabels } from './copy.ts';
export { directionOf } from './direction.ts';
export { hasShownText } from './hidden-text.ts';
export { markdownStyles } from './markdown-styles.ts';
export { showPersonText } from './person-text.ts';
export { directionOfText, renderRuns } from './runs.ts';
export { hostToShow, pageUrl, safeUrl, trustedImage } from './url.ts';
export { MarkdownView, type MarkdownOptions } from './view.ts';
