import { expect } from '@open-wc/testing';
import { container, createView, render, useMarkdownView } from './mounted-view.ts';
import { generateDocuments, generateReply } from '../../unit/markdown/generate.ts';

useMarkdownView();

/** Returns the text nodes, except those that are wrapped already. */
const textNodes = (): Text[] => {
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  return nodes.filter(({ parentElement }) => parentElement!.localName !== 'font');
};

/** Wraps each text node in two elements, as a translator does that keeps the nodes. */
const wrap = (): void => {
  for (const node of textNodes()) {
    const outer = document.createElement('font');
    const inner = document.createElement('font');
    node.replaceWith(outer);
    outer.append(inner);
    inner.append(node);
  }
};

/** Replaces each text node by a copy in another element, as a translator does that writes its own text. */
const replace = (): void => {
  for (const node of textNodes()) {
    const copy = document.createElement('font');
    copy.textContent = node.data;
    node.replaceWith(copy);
  }
};

const replies = [
  'Words of **bold** prose and `code`, one after the other. '.repeat(40),
  'The first sentence is here. The second one follows it. '.repeat(30),
  `- ${'An item that is longer than one line of the panel. '.repeat(12)}\n- [ ] a task\n\n1. one\n2. two\n`,
  '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nend',
  `\`\`\`js\n${'const a = 1;\n'.repeat(120)}\`\`\`\n\nend`,
  'See [the page].\n\n[the page]: https://a.example\n\nend',
  generateReply(3000),
  ...generateDocuments(23, 60, { gfm: true }),
];

describe('A translator that changes the nodes of a streaming reply', () => {
  for (const [name, translate] of [
    ['wraps each text node', wrap],
    ['replaces each text node', replace],
  ] as const)
    for (const every of [1, 3])
      it(`and ${name} repeats no sentence and loses none, at each ${every}. update`, function () {
        this.timeout(60_000);
        for (const text of replies) {
          render(text);
          const expected = container.textContent;
          container.remove();
          const view = createView();
          const step = Math.max(1, Math.ceil(text.length / 60));
          for (let end = step, count = 0; end < text.length; end += step, count++) {
            view.update(text.slice(0, end));
            if (count % every === 0) translate();
          }
          view.update(text, true);
          expect(container.textContent, JSON.stringify(text.slice(0, 80))).to.equal(expected);
          container.remove();
        }
        createView();
      });
});
