import { expect } from '@open-wc/testing';
import { generateDocuments } from '../../unit/markdown/generate.ts';
import { container, createView, streamOpen, stream, render, textOutside, useMarkdownView } from './mounted-view.ts';

useMarkdownView();

describe('A streamed text', () => {
  /** The examples of the CommonMark specification. */
  const readExamples = async (): Promise<string[]> => {
    const specification = await (await fetch('/node_modules/commonmark-spec/spec.txt')).text();
    const examples = [...specification.matchAll(/^`{32} example\n([^]*?)^\.\n[^]*?^`{32}$/gm)];
    expect(examples.length).to.equal(652);
    return examples.map((match) => match[1]!.replaceAll('→', '\t'));
  };

  for (const [index, step] of [1, 5].entries())
    it(`is rendered the same in steps of ${step} characters as in one piece`, async function () {
      this.timeout(100_000);
      const documents = [...(await readExamples()), ...generateDocuments(11, 2500, { gfm: true })];
      // Each document streams in steps of one size: the unit tests stream them all in both.
      for (const text of documents.filter((_, number) => number % 2 === index)) {
        const whole = render(text);
        container.remove();
        stream(createView(), text, step);
        const streamed = container.innerHTML;
        container.remove();
        expect(streamed, JSON.stringify(text)).to.equal(whole);
      }
    });

  it('keeps the nodes of closed blocks, and a selection in them', () => {
    const view = createView();
    const beginning =
      '# Title\n\nFirst **paragraph** here.\n\n- one\n- two\n\n```js\ncode\n```\n\n| a |\n|--|\n| b |\n\n';
    streamOpen(view, beginning);
    const closed = [...container.querySelectorAll('*')];
    const strong = container.querySelector('strong')!;
    getSelection()!.selectAllChildren(strong);
    for (const more of ['next', 'next *one*\n\n', 'next *one*\n\n> quote\n\n- [ ] task']) view.update(beginning + more);
    view.update(`${beginning}next *one*\n\n> quote\n\n- [ ] task\n`, true);
    expect([...container.querySelectorAll('*')].slice(0, closed.length)).to.deep.equal(closed);
    expect(String(getSelection())).to.equal('paragraph');
    expect(getSelection()!.anchorNode).to.equal(strong);
  });

  it('never shows incomplete syntax', () => {
    for (const text of [
      'Some **bold** and *soft* text with `code` in it.\n\nThe end.',
      '# Heading with **bold**\n\ntext',
      'See [the label](https://a.example/path) now.\n\n![image](https://a.example/x.png) too.',
      '- item **one**\n- item [two](https://a.example)\n  1. three\n\n> quoted *text*\n\nend',
      '- [x] done\n- [ ] open\n',
      '```js\nconst a = 1;\n```\n\nafter',
      '~~~\ncode\n~~~\n\nafter',
      '| name | price |\n|:--|--:|\n| tea | **3** |\n| `x` | 4 |\n\nafter',
      'text\n\n| a |\n|---|\n| b |\n',
      'before\n\n---\n\nafter\n\n***\n\nend',
      'Title\n=====\n\ntext',
    ]) {
      streamOpen(createView(), text, 1, () => {
        expect(textOutside('.md-code'), text).to.not.match(/[*`#|[\]~=]|--|https|!\S/);
        for (const code of container.querySelectorAll('code')) expect(code.textContent, text).to.not.match(/[`~]/);
      });
      container.remove();
    }
  });

  it('renders links when their definition arrives, without changing other nodes', () => {
    const view = createView();
    view.update('See [the page] and [other].\n\nNext\n\n');
    const [first, second] = container.querySelectorAll('p');
    expect(first!.textContent).to.equal('See [the page] and [other].');
    const next = second!.firstChild;
    view.update('See [the page] and [other].\n\nNext\n\n[THE  page]: https://a.example\n\n');
    expect(first!.querySelector('a')!.href).to.equal('https://a.example/');
    expect(first!.textContent).to.equal('See the page and [other].');
    expect(second!.firstChild).to.equal(next);
  });

  it('starts over with a text that does not continue the previous one', () => {
    const view = createView();
    view.update('one two');
    view.update('one three', true);
    expect(container.textContent).to.equal('one three');
    view.update('# one');
    expect(container.querySelector('h3')!.textContent).to.equal('one');
  });

  it('shows incomplete syntax as text when the text is final', () => {
    const view = createView();
    view.update('a **b');
    expect(container.querySelector('strong')!.textContent).to.equal('b');
    view.update('a **b', true);
    expect(container.textContent).to.equal('a **b');
    expect(container.querySelector('strong')).to.equal(null);
  });

  it('accepts any line ending, also half of one', () => {
    stream(createView(), 'a\r\n\r\n- b\r- c\n');
    expect(container.children.length).to.equal(2);
    expect(container.querySelectorAll('li').length).to.equal(2);
  });
});
