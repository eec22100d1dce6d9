import { expect } from '@open-wc/testing';
import {
  markdownStyles,
  MarkdownView,
  type MarkdownLabels,
  type MarkdownOptions,
} from '../../../src/markdown/index.ts';
import { generateDocuments } from '../../unit/markdown/generate.ts';

const labels: MarkdownLabels = {
  copy: 'Copy',
  copied: 'Copied',
  code: (language) => (language ? `Code in ${language}` : 'Code'),
};

let container: HTMLElement;

const createView = (options: Partial<MarkdownOptions> = {}): MarkdownView => {
  container = document.body.appendChild(document.createElement('div'));
  return new MarkdownView(container, { labels, ...options });
};

/** Shows a streaming `text` in steps of `step` characters, and leaves it open. */
const streamOpen = (view: MarkdownView, text: string, step = 1, each: () => void = () => {}): void => {
  for (let end = step; end < text.length; end += step) {
    view.update(text.slice(0, end));
    each();
  }
  view.update(text);
};

const stream = (view: MarkdownView, text: string, step = 1): void => {
  streamOpen(view, text, step);
  view.update(text, true);
};

const render = (text: string): string => {
  createView().update(text, true);
  return container.querySelector('.md-content')!.innerHTML;
};

const textOutside = (selector: string): string => {
  const copy = container.cloneNode(true) as HTMLElement;
  copy.querySelectorAll(selector).forEach((element) => element.remove());
  return copy.textContent;
};

const frames = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  });

describe('MarkdownView', () => {
  before(() => {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, markdownStyles.styleSheet!];
  });

  afterEach(() => {
    container.remove();
  });

  describe('Rendering', () => {
    it('puts headings below the levels of the panel', () => {
      render('# one\n\n## two\n\n###### six');
      expect([...container.querySelectorAll('h3, h4, h5, h6')].map(({ localName }) => localName)).to.deep.equal([
        'h3',
        'h4',
        'h6',
      ]);
      expect(container.querySelector('h1, h2')).to.equal(null);
    });

    it('opens safe links in a new tab without a referrer', () => {
      render('[a *b*](https://a.example/x "title") <m@b.example> www.c.example');
      const links = [...container.querySelectorAll('a')];
      expect(links.map((link) => link.getAttribute('href'))).to.deep.equal([
        'https://a.example/x',
        'mailto:m@b.example',
        'http://www.c.example/',
      ]);
      for (const link of links) {
        expect(link.rel).to.equal('noopener noreferrer nofollow ugc');
        expect(link.target).to.equal('_blank');
        expect(link.title).to.equal('');
      }
    });

    it('shows only the label of a link that is not allowed', () => {
      render('[a **b**](javascript:alert(1)) [c](/relative) [d](https://u:p@e.example) ![e](data:image/png,x) [f]()');
      expect(container.querySelector('a')).to.equal(null);
      expect(container.querySelector('strong')!.textContent).to.equal('b');
      expect(container.textContent).to.equal('a b c d e f');
    });

    it('renders images as links with their description', () => {
      render(
        '![a cat](https://a.example/cat.png) ![](https://a.example/x.png) [![in](https://a.example/i.png)](https://b.example)',
      );
      expect(container.querySelector('img')).to.equal(null);
      expect([...container.querySelectorAll('a')].map((link) => link.textContent)).to.deep.equal([
        'a cat',
        'https://a.example/x.png',
        'in',
      ]);
      expect(container.querySelector('a a')).to.equal(null);
    });

    it('renders raw HTML as text', () => {
      render('<b onclick="alert(1)">x</b>\n\n<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>');
      expect(container.querySelector('b, script, img')).to.equal(null);
      expect(container.textContent).to.contain('<script>alert(1)</script>');
    });

    it('renders tasks as read-only checkboxes that are named by their text', () => {
      render('- [x] send **it**\n- [ ] wait');
      const boxes = [...container.querySelectorAll('input')];
      expect(boxes.map((box) => [box.type, box.disabled, box.checked, box.ariaLabel])).to.deep.equal([
        ['checkbox', true, true, 'send it'],
        ['checkbox', true, false, 'wait'],
      ]);
    });

    it('distinguishes tight and loose lists, and starts numbers where the list does', () => {
      render('3. a\n4. b\n\n- c\n\n- d');
      expect(container.querySelector('ol')!.start).to.equal(3);
      expect(container.querySelector('ol')!.className).to.equal('md-tight');
      expect(container.querySelector('ul')!.hasAttribute('class')).to.equal(false);
    });

    it('renders tables with headers and alignment, without style attributes', () => {
      render('| a | b |\n|:-:|--:|\n| 1 | 2 | 3 |\n| 4 |');
      expect([...container.querySelectorAll('th')].map((cell) => [cell.scope, cell.dataset['align']])).to.deep.equal([
        ['col', 'center'],
        ['col', 'right'],
      ]);
      expect([...container.querySelectorAll('tbody tr')].map((row) => row.children.length)).to.deep.equal([2, 1]);
      expect(getComputedStyle(container.querySelector('td')!).textAlign).to.equal('center');
      expect(container.querySelector('[style]')).to.equal(null);
    });
  });

  describe('Text direction', () => {
    it('is found for each paragraph, heading and cell', () => {
      render('مرحبا hello\n\nhello مرحبا\n\n# عنوان\n\n`npm` الأمر');
      const directions = [...container.querySelectorAll('[dir=auto]')].map(
        (element) => getComputedStyle(element).direction,
      );
      expect(directions).to.deep.equal(['rtl', 'ltr', 'rtl', 'rtl']);
    });

    it('of items, quotes and tables comes from their first text', () => {
      render('- مرحبا\n  - hello\n- hello\n\n> - مرحبا\n\n| الاسم | b |\n|--|--|\n| c | 1 |');
      const direction = (selector: string): string => getComputedStyle(container.querySelector(selector)!).direction;
      expect(direction('ul > li')).to.equal('rtl');
      expect(direction('li li')).to.equal('ltr');
      expect(direction('ul > li + li')).to.equal('ltr');
      expect(direction('blockquote')).to.equal('rtl');
      expect(direction('table')).to.equal('rtl');
      expect(direction('td')).to.equal('ltr');
    });

    it('of code is left to right', () => {
      render('مرحبا `a`\n\n```\nمرحبا\n```');
      for (const code of container.querySelectorAll('code')) expect(getComputedStyle(code).direction).to.equal('ltr');
    });

    it('follows the text while it streams', () => {
      const view = createView();
      view.update('- 10%');
      expect(container.querySelector('li')!.dir).to.equal('ltr');
      view.update('- 10% مرحبا');
      expect(container.querySelector('li')!.dir).to.equal('rtl');
    });
  });

  describe('Streaming', () => {
    const documents = generateDocuments(11, 2500, { gfm: true });

    for (const step of [1, 5])
      it(`renders the same in steps of ${step} as in one piece`, function () {
        this.timeout(20_000);
        for (const text of documents) {
          const whole = render(text);
          container.remove();
          stream(createView(), text, step);
          const streamed = container.querySelector('.md-content')!.innerHTML;
          container.remove();
          expect(streamed, JSON.stringify(text)).to.equal(whole);
        }
      });

    it('renders the CommonMark examples the same as in one piece', async function () {
      this.timeout(20_000);
      const specification = await (await fetch('/node_modules/commonmark-spec/spec.txt')).text();
      const examples = [...specification.matchAll(/^`{32} example\n([^]*?)^\.\n[^]*?^`{32}$/gm)].map((match) =>
        match[1]!.replaceAll('→', '\t'),
      );
      expect(examples.length).to.equal(652);
      for (const text of examples) {
        const whole = render(text);
        container.remove();
        stream(createView(), text, 3);
        const streamed = container.querySelector('.md-content')!.innerHTML;
        container.remove();
        expect(streamed, JSON.stringify(text)).to.equal(whole);
      }
    });

    it('keeps the nodes of closed blocks, and a selection in them', () => {
      const view = createView();
      const beginning =
        '# Title\n\nFirst **paragraph** here.\n\n- one\n- two\n\n```js\ncode\n```\n\n| a |\n|--|\n| b |\n\n';
      streamOpen(view, beginning);
      const closed = [...container.querySelectorAll('.md-content *')];
      const strong = container.querySelector('strong')!;
      getSelection()!.selectAllChildren(strong);
      for (const more of ['next', 'next *one*\n\n', 'next *one*\n\n> quote\n\n- [ ] task'])
        view.update(beginning + more);
      view.update(`${beginning}next *one*\n\n> quote\n\n- [ ] task\n`, true);
      expect([...container.querySelectorAll('.md-content *')].slice(0, closed.length)).to.deep.equal(closed);
      expect(String(getSelection())).to.equal('paragraph');
      expect(getSelection()!.anchorNode).to.equal(strong);
    });

    it('keeps the nodes of all rows and items but the last', () => {
      const view = createView();
      view.update('| a | b |\n|--|--|\n| 1 | 2 |\n| 3 |');
      const row = container.querySelector('tbody tr')!;
      view.update('| a | b |\n|--|--|\n| 1 | 2 |\n| 3 | 4 |\n| 5 ');
      expect(container.querySelector('tbody tr')).to.equal(row);
      expect(container.querySelectorAll('tbody tr').length).to.equal(3);
    });

    it('keeps the settled nodes of a long paragraph', () => {
      const view = createView();
      const text = 'Words of **bold** prose and `code`, one after the other. '.repeat(40);
      streamOpen(view, text.slice(0, 1500), 10);
      const first = container.querySelector('p')!.firstChild;
      const bold = container.querySelector('strong');
      for (let end = 1500; end < text.length; end += 10) view.update(text.slice(0, end));
      view.update(text, true);
      expect(container.querySelector('p')!.firstChild === first).to.equal(true);
      expect(container.querySelector('strong') === bold).to.equal(true);
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
      expect(container.querySelector('.md-content')!.children.length).to.equal(2);
      expect(container.querySelectorAll('li').length).to.equal(2);
    });
  });

  describe('Code blocks', () => {
    it('grow in elements of about a thousand characters', () => {
      const line = 'const reply = 42; // the answer\n';
      const text = `\`\`\`js\n${line.repeat(100)}\`\`\``;
      stream(createView(), text, 20);
      const boxes = [...container.querySelectorAll('pre span')];
      expect(boxes.length).to.equal(4);
      for (const box of boxes) expect(box.textContent.length).to.be.below(1100);
      expect(container.querySelector('pre')!.textContent).to.equal(line.repeat(100).trimEnd());
      expect(container.querySelector('.md-code-language')!.textContent).to.equal('js');
    });

    it('show as many lines as the code has', () => {
      const line = 'x'.repeat(99);
      render(`\`\`\`\n${`${line}\n`.repeat(40)}\`\`\``);
      const { fontSize } = getComputedStyle(container.querySelector('code')!);
      const height = container.querySelector('code')!.getBoundingClientRect().height;
      container.remove();
      render(`\`\`\`\n${`${line}\n`.repeat(20)}\`\`\``);
      expect(getComputedStyle(container.querySelector('code')!).fontSize).to.equal(fontSize);
      expect(height).to.be.closeTo(2 * container.querySelector('code')!.getBoundingClientRect().height, 1);
    });

    it('copy their text and confirm it', async () => {
      const copied: string[] = [];
      const { clipboard } = navigator;
      Object.defineProperty(navigator, 'clipboard', {
        configurable: true,
        value: { writeText: async (text: string) => void copied.push(text) },
      });
      try {
        const view = createView();
        view.update('```js\nconst a = "<b>";\n\nsend(a);\n```\n', true);
        const button = container.querySelector<HTMLButtonElement>('.md-copy')!;
        expect(button.textContent).to.equal('Copy');
        button.click();
        await frames();
        expect(copied).to.deep.equal(['const a = "<b>";\n\nsend(a);']);
        expect(button.textContent).to.equal('Copied');
        view.setLabels({ ...labels, copied: 'نُسخ' });
        expect(button.textContent).to.equal('نُسخ');
      } finally {
        Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
      }
    });

    it('select their text where copying is not allowed', async () => {
      const { clipboard } = navigator;
      Object.defineProperty(navigator, 'clipboard', {
        configurable: true,
        value: { writeText: () => Promise.reject(new DOMException('', 'NotAllowedError')) },
      });
      try {
        createView().update('    a\n    b\n', true);
        const button = container.querySelector<HTMLButtonElement>('.md-copy')!;
        button.click();
        await frames();
        expect(button.textContent).to.equal('Copy');
        expect(String(getSelection()).trim()).to.equal('a\nb');
      } finally {
        Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
      }
    });
  });

  describe('Content that is too wide', () => {
    it('scrolls in a focusable region with a name in the current language', async () => {
      const view = createView();
      container.style.width = '200px';
      view.update(
        `\`\`\`js\n${'wide '.repeat(50)}\n\`\`\`\n\n| ${'column | '.repeat(12)}\n|${'--|'.repeat(12)}\n`,
        true,
      );
      await frames();
      const [code, table] = container.querySelectorAll<HTMLElement>('[role=region]');
      expect([code!.tabIndex, code!.ariaLabel]).to.deep.equal([0, 'Code in js']);
      expect(table!.tabIndex).to.equal(0);
      expect(table!.ariaLabel).to.match(/^column, column/);
      expect(container.scrollWidth).to.equal(200);
      view.setLabels({ ...labels, code: (language) => `شيفرة ${language}` });
      expect(code!.ariaLabel).to.equal('شيفرة js');
    });

    it('is a region only while it overflows', async () => {
      createView().update('```\nshort\n```\n\n| a |\n|--|\n| b |\n', true);
      await frames();
      expect(container.querySelector('[role], [tabindex]')).to.equal(null);
    });
  });

  describe('Link activation', () => {
    const click = (target: Element, type = 'click'): boolean =>
      target.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, cancelable: true }));

    it('is reported with the URL, and can be prevented', () => {
      const urls: string[] = [];
      createView({
        onLink: (url) => {
          urls.push(url);
          return false;
        },
      }).update('[a **b**](https://a.example/)', true);
      expect(click(container.querySelector('strong')!)).to.equal(false);
      expect(click(container.querySelector('a')!, 'auxclick')).to.equal(false);
      expect(urls).to.deep.equal(['https://a.example/', 'https://a.example/']);
    });

    it('is not reported for other elements', () => {
      let count = 0;
      createView({ onLink: () => count++ }).update('text', true);
      click(container.querySelector('p')!);
      expect(count).to.equal(0);
    });
  });
});
