/** The public functions of the Markdown renderer. */
export type { MarkdownLabels } from './copy.ts';
export { setAttribute } from './create-element.ts';
export { markdownStyles } from './markdown-styles.ts';
export { importRuns, isolated, lacksRuns } from './text-runs.ts';
export { hostToShow, safeUrl, trustedImage } from './url.ts';
export { importRichBlocks, MarkdownView, type MarkdownOptions } from './view.ts';
