/** The text of a person, which is not Markdown: its lines, spaces and asterisks stay, and its links and numbers work. */
import { linkUrls } from './bare-links.ts';
import { createElement, setAttribute } from './create-element.ts';
import { directionOfContent, toDirection } from './direction.ts';
import { fillInline } from './inline-view.ts';
import { finishInline } from './runs.ts';

/**
 * Shows a text in an element, whose styles keep its lines and spaces. Each line has a direction of its own.
 * @param linkHosts See `MarkdownOptions`.
 */
export const showPersonText = (element: HTMLElement, text: string, linkHosts = ''): void => {
  const fill = (box: HTMLElement, line: string): void => {
    const content = finishInline(linkUrls(line), false);
    setAttribute(box, 'dir', toDirection(directionOfContent(content)));
    fillInline(box, content, linkHosts);
  };
  if (!text.includes('\n')) return fill(element, text);
  // The line ending stays in its line, so that the element contains the whole text.
  const lines = text.split(/(?<=\n)/).map((line) => {
    const box = createElement('div');
    fill(box, line);
    return box;
  });
  setAttribute(element, 'dir', null);
  element.replaceChildren(...lines);
};
