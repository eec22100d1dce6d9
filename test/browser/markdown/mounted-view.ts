/** Mounts a Markdown view in the page of a component test. */
import {
  markdownStyles,
  MarkdownView,
  type MarkdownLabels,
  type MarkdownOptions,
} from '../../../src/markdown/index.ts';

export const labels: MarkdownLabels = {
  code: {
    copy: 'Copy',
    copied: 'Copied',
    table: 'Show whole table',
    code: (language) => (language ? `Code in ${language}` : 'Code'),
  },
  tools: { failed: (title) => `Failed: ${title}` },
  problems: { network: 'The connection failed.' },
};

export let container: HTMLElement;

export const createView = (options: Partial<MarkdownOptions> = {}): MarkdownView => {
  container = document.body.appendChild(document.createElement('div'));
  return new MarkdownView(container, { labels, ...options });
};

/** Shows a streaming `text` in steps of `step` characters, and leaves it open. */
export const streamOpen = (view: MarkdownView, text: string, step = 1, each: () => void = () => {}): void => {
  for (let end = step; end < text.length; end += step) {
    view.update(text.slice(0, end));
    each();
  }
  view.update(text);
};

export const stream = (view: MarkdownView, text: string, step = 1): void => {
  streamOpen(view, text, step);
  view.update(text, true);
};

export const render = (text: string): string => {
  createView().update(text, true);
  return container.innerHTML;
};

export const textOutside = (selector: string): string => {
  const copy = container.cloneNode(true) as HTMLElement;
  copy.querySelectorAll(selector).forEach((element) => element.remove());
  return copy.textContent;
};

export const frames = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  });

/** Adds the styles of Markdown to the page for the tests of a file, and removes the view after each test. */
export const useMarkdownView = (): void => {
  before(() => {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, markdownStyles.styleSheet!];
  });

  afterEach(() => {
    container.remove();
  });
};
