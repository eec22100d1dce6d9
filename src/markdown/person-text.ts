/** The text of a person, which is not Markdown: its lines, spaces and asterisks stay, and its links and numbers work. */
import { linkUrls } from './bare-links.ts';
import { fillInline } from './inline-view.ts';
import { finishInline } from './runs.ts';

/**
 * Shows a text in an element, whose styles keep its lines and spaces.
 * @param linkHosts See `MarkdownOptions`.
 */
export const showPersonText = (element: HTMLElement, text: string, linkHosts = ''): void => {
  fillInline(element, finishInline(linkUrls(text), false), linkHosts);
};
