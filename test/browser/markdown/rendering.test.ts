import { expect } from '@open-wc/testing';
import { container, createView, render, useMarkdownView } from './mounted-view.ts';

useMarkdownView();

describe('A rendered text', () => {
  it('puts headings below the levels of the panel, and skips no level', () => {
    render('## one\n\n### two\n\n###### three');
    expect([...container.querySelectorAll('h3, h4, h5, h6')].map(({ localName }) => localName)).to.deep.equal([
      'h3',
      'h4',
      'h5',
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

  it('shows the host of a link whose text names another host or is invisible', () => {
    render('[bank.example](https://evil.example/x) [**\u200b**](https://b.example) [shop](https://c.example)');
    expect([...container.querySelectorAll('a')].map((link) => link.getAttribute('data-host'))).to.deep.equal([
      'evil.example',
      'b.example',
      null,
    ]);
  });

  it('shows the host of a link to a host that is not in linkHosts', () => {
    createView({ linkHosts: 'shop.example' }).update('[a](https://shop.example) [b](https://other.example)', true);
    expect([...container.querySelectorAll('a')].map((link) => link.getAttribute('data-host'))).to.deep.equal([
      null,
      'other.example',
    ]);
  });

  it('replaces character references that override the writing direction', () => {
    expect(render('a&#x202e;b&#8237;c')).to.contain('a\ufffdb\ufffdc');
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

  it('has paragraphs in the items of a loose list only, also when a streamed list becomes loose', () => {
    const view = createView();
    const items = (): string[] =>
      [...container.querySelectorAll('li')].map((item) =>
        [...item.childNodes].map((node) => node.nodeName.toLowerCase()).join(' '),
      );
    view.update('- a **b**\n  - [ ] c\n\n');
    expect(items()).to.deep.equal(['#text strong ul', 'input #text']);
    const nested = container.querySelector('li li');
    view.update('- a **b**\n  - [ ] c\n\n- d');
    expect(items()).to.deep.equal(['p ul', 'input #text', 'p']);
    expect(container.querySelector('li li')).to.equal(nested);
    expect(container.querySelector('input')!.ariaLabel).to.equal('c');
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

describe('The direction of a text', () => {
  it('is found for each paragraph, heading and cell', () => {
    render('مرحبا hello\n\nhello مرحبا\n\n# عنوان\n\n`npm` الأمر');
    const directions = [...container.querySelectorAll('p, h3')].map((element) => getComputedStyle(element).direction);
    expect(directions).to.deep.equal(['rtl', 'ltr', 'rtl', 'rtl']);
  });

  it('comes from the first text in an item, a quote or a table', () => {
    render('- مرحبا\n  - hello\n- hello\n\n> - مرحبا\n\n| الاسم | b |\n|--|--|\n| c | 1 |');
    const direction = (selector: string): string => getComputedStyle(container.querySelector(selector)!).direction;
    expect(direction('ul > li')).to.equal('rtl');
    expect(direction('li li')).to.equal('ltr');
    expect(direction('ul > li + li')).to.equal('ltr');
    expect(direction('blockquote')).to.equal('rtl');
    expect(direction('table')).to.equal('rtl');
    expect(direction('td')).to.equal('ltr');
  });

  it('is left to right in code', () => {
    render('مرحبا `a`\n\n```\nمرحبا\n```');
    for (const code of container.querySelectorAll('code')) expect(getComputedStyle(code).direction).to.equal('ltr');
  });

  it('follows the text while it streams', () => {
    const view = createView();
    const direction = (): string => getComputedStyle(container.querySelector('li')!).direction;
    view.update('- 10%');
    expect(direction()).to.equal('ltr');
    container.dir = 'rtl';
    expect(direction(), 'without letters, that of the conversation').to.equal('rtl');
    container.dir = '';
    view.update('- 10% مرحبا');
    expect(direction()).to.equal('rtl');
    view.update('- 10% مرحبا\n  - and more');
    expect(direction()).to.equal('rtl');
  });
});
