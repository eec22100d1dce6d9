import { expect } from '@open-wc/testing';
import bidiFactory from 'bidi-js';
import { mixedTexts, withoutMarks } from '../../support/mixed-texts.ts';
import { mount, until, type Mounted } from '../../support/pages/element.ts';
import { replyWith } from '../../support/fakes/fake-service.ts';

const bidi = bidiFactory();

/** The characters of the Unicode bidirectional algorithm that isolate the runs of the data file. */
const controls: Record<string, string> = {
  '⟦': '\u2066\u202d',
  '⟧': '\u202c\u2069',
  '⟪': '\u2068',
  '⟫': '\u2069',
  '⟨': '',
  '⟩': '',
};

type Direction = 'ltr' | 'rtl';

/** Returns the direction of the first letter, or of the conversation for a text of nothing but runs. */
const expectedDirection = (text: string, conversation: Direction): Direction => {
  const hasWords = /\p{L}/u.test(text.replaceAll(/⟦[^⟧]*⟧|⟪[^⟫]*⟫|⟨[^⟩]*⟩/g, ''));
  const first = /\p{L}/u.exec(text)?.[0];
  if (!hasWords || first === undefined) return conversation;
  return /\p{Script=Arabic}/u.test(first) ? 'rtl' : 'ltr';
};

/** Returns the characters from left to right, as the Unicode bidirectional algorithm places them with isolates. */
const expectedOrder = (text: string, conversation: Direction): string => {
  const controlled = text.replaceAll(/[⟦⟧⟪⟫⟨⟩]/g, (mark) => controls[mark]!);
  const levels = bidi.getEmbeddingLevels(controlled, expectedDirection(text, conversation));
  return bidi
    .getReorderedIndices(controlled, levels)
    .map((index) => controlled[index]!)
    .filter((character) => !/[\u2066-\u2069\u202a-\u202e]/.test(character))
    .join('');
};

/** Returns the characters from left to right, as the browser has placed them. */
const renderedOrder = (element: Element): string => {
  const placed: { character: string; left: number; at: number }[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node; (node = walker.nextNode() as Text | null);) {
    for (let at = 0; at < node.length; at++) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const { left, width } = range.getBoundingClientRect();
      if (node.data[at] !== '\n') placed.push({ character: node.data[at]!, left: left + width / 2, at: placed.length });
    }
  }
  return placed
    .sort((one, other) => one.left - other.left || one.at - other.at)
    .map(({ character }) => character)
    .join('');
};

/** Halves of a surrogate pair and marks have no place of their own. */
const isPlain = (text: string): boolean => !/[\p{M}\p{Cs}\u{10000}-\u{10ffff}]/u.test(text);

/**
 * Whether the browser reports where it has placed a character. WebKitGTK reports wrong places for digits in text from right to
 * left, also in a plain paragraph.
 */
const reportsPlaces = (): boolean => {
  const paragraph = document.createElement('p');
  paragraph.dir = 'rtl';
  paragraph.textContent = 'الموعد 12 ديسمبر 2026';
  document.body.append(paragraph);
  const isRight = renderedOrder(paragraph) === expectedOrder(paragraph.textContent, 'rtl');
  paragraph.remove();
  return isRight;
};

describe('A text of mixed direction', () => {
  before(function () {
    if (!reportsPlaces()) this.skip();
  });

  /** Returns the texts whose rendered order is another one than the expected one, or whose run is on two lines. */
  const differences = (all: readonly string[], elements: readonly Element[], conversation: Direction) => {
    expect(elements).to.have.length(all.length);
    return all.flatMap((text, index) => {
      const [expected, rendered] = [expectedOrder(text, conversation), renderedOrder(elements[index]!)];
      const broken = [...elements[index]!.querySelectorAll('bdi[dir], .run')].filter((run) => {
        const range = document.createRange();
        range.selectNodeContents(run);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
      });
      return expected === rendered && broken.length === 0 ? [] : [{ text, expected, rendered, broken: broken.length }];
    });
  };

  const texts = mixedTexts.filter(isPlain);
  const content = texts.map(withoutMarks);

  /** Asks for a reply, in text so small that each string is on one line. */
  const ask = async (locale: string, reply: Parameters<typeof mount>[0]): Promise<Mounted> => {
    const mounted = await mount(reply, { locale });
    mounted.element.style.setProperty('--workspace-chat-font-size', '9px');
    mounted.element.parentElement!.style.inlineSize = '1200px';
    const wide = new CSSStyleSheet();
    wide.replaceSync(
      'td { max-inline-size: none !important; white-space: nowrap } .blocks { inline-size: 1000px !important }',
    );
    mounted.element.shadowRoot!.adoptedStyleSheets.push(wide);
    await mounted.element.send('Hi');
    return mounted;
  };

  it('begins no line with the punctuation after a run, and overflows no bubble, at any width', async () => {
    const marks = ['.', '،', '؛', '؟', '!', ':', '»', ')'];
    const runs = texts.flatMap((text) => text.match(/(?<=⟦)[^⟧]+|(?<=⟪)[^⟫]+/g) ?? []);
    const sentences = runs.map((run, index) => `نفتح يوميًا حتى **${run}**${marks[index % marks.length]} أهلًا`);
    expect(new Set(runs.map(({ length }) => length > 16))).to.have.property('size', 2);
    const { element, findAll } = await mount([replyWith(sentences.join('\n\n'))], { locale: 'ar' });
    await element.send('Hi');
    await until(() => findAll('.text p').length === sentences.length);
    const range = document.createRange();
    const rectangle = (node: Node, start: number, end: number): DOMRect => {
      range.setStart(node, start);
      range.setEnd(node, end);
      return range.getBoundingClientRect();
    };
    const bubble = findAll('.text')[0]!;
    let lines = 0;
    for (let width = 288; width <= 480; width += 8) {
      element.parentElement!.style.inlineSize = `${width}px`;
      expect(bubble.scrollWidth, `${width} px`).to.be.at.most(bubble.clientWidth);
      for (const paragraph of findAll('.text p')) {
        const [run, after] = [paragraph.querySelector('bdi')!, paragraph.lastChild as Text];
        const text = rectangle(run, 0, run.childNodes.length);
        const isShort = run.textContent.length <= 16;
        const mark = rectangle(after, 0, 1);
        if (isShort) expect(mark.top, `${paragraph.textContent} at ${width} px`).to.be.lessThan(text.bottom - 4);
        if (isShort) expect(text.height, run.textContent).to.be.lessThan(40);
        if (text.top > paragraph.getBoundingClientRect().top + 8) lines++;
      }
    }
    expect(lines, 'runs on a second line').to.be.greaterThan(100);
  });

  for (const [locale, conversation] of [
    ['en', 'ltr'],
    ['ar', 'rtl'],
  ] as const) {
    it(`has the visual order of the Unicode bidirectional algorithm with isolates in a reply (${locale})`, async () => {
      expect(texts.length).to.be.greaterThan(250);
      const { findAll } = await ask(locale, [replyWith(content.join('\n\n'))]);
      await until(() => findAll('.text p').length === texts.length);
      expect(differences(texts, findAll('.text p'), conversation)).to.deep.equal([]);
    });

    it(`has the same order in each line of the visitor’s and the team’s messages (${locale})`, async () => {
      const lines = content.join('\n');
      const { element, findAll } = await ask(locale, [replyWith('Hi')]);
      element.receive({ id: 'm9', role: 'assistant', actor_type: 'owner', content: lines });
      await until(() => findAll('.agent .person div').length === texts.length);
      expect(differences(texts, findAll('.agent .person div'), conversation)).to.deep.equal([]);
      for (let start = 0; start < texts.length; start += 100) {
        void element.send(content.slice(start, start + 100).join('\n'));
        await until(() => findAll('.visitor .person').length === start / 100 + 2);
      }
      expect(differences(texts, findAll('.visitor .person div'), conversation)).to.deep.equal([]);
    });

    it(`has the same order in cells, items and quotes (${locale})`, async () => {
      // A table has the direction of its header.
      const plain = texts.filter((text) => !text.includes('|'));
      const header = conversation === 'rtl' ? '| أ | ب |' : '| a | b |';
      const cells = plain.map(withoutMarks);
      const reply = `${header}\n|--|--|\n${cells.map((cell) => `| ${cell} | x |`).join('\n')}\n\n${cells
        .map((cell) => `- ${cell}`)
        .join('\n')}\n\n${cells.map((cell) => `> ${cell}\n\n—`).join('\n\n')}`;
      const { findAll } = await ask(locale, [replyWith(reply)]);
      await until(() => findAll('.text td').length === plain.length * 2);
      expect(differences(plain, findAll('.text td:first-child'), conversation)).to.deep.equal([]);
      expect(differences(plain, findAll('.text li'), conversation)).to.deep.equal([]);
      expect(differences(plain, findAll('.text blockquote p'), conversation)).to.deep.equal([]);
    });

    it(`has the same order in the labels of forms and of cards (${locale})`, async () => {
      // A field with this word is left out, because it may ask for a secret.
      const shown = texts.filter((text) => !text.includes('الرمز'));
      const labels = shown.map(withoutMarks);
      const fields = labels.map((label, index) => {
        return { key: `k${index}`, label_en: label, label_ar: label, kind: 'text', options: [], required: true };
      });
      const card = {
        type: 'status_card',
        title: 'x',
        status: 'x',
        rows: labels.map((label) => ({ label, value: 'x' })),
      };
      const { findAll } = await ask(locale, [replyWith('x', { blocks: [{ type: 'form', title: 'x', fields }, card] })]);
      await until(() => findAll('.form-field').length === shown.length && findAll('.block-rows dt').length > 0);
      expect(differences(shown, findAll('.form-field label'), conversation)).to.deep.equal([]);
      expect(differences(shown, findAll('.block-rows dt > span'), conversation)).to.deep.equal([]);
    });

    it(`has the same order in choices, cards, links and products (${locale})`, async () => {
      const blocks = [
        { type: 'options', prompt: 'x', options: content.map((label) => ({ label, description: label })) },
        { type: 'status_card', title: 'x', status: 'x', rows: content.map((value) => ({ label: 'x', value })) },
        { type: 'links', links: content.map((label) => ({ label, url: 'https://a.example', description: label })) },
        { type: 'products', items: content.map((name) => ({ name, description: name })) },
      ];
      const { findAll } = await ask(locale, [replyWith('x', { blocks })]);
      await until(() => findAll('.product').length === texts.length);
      for (const selector of [
        '.option > span',
        '.option > small > span',
        '.block-rows dd > span',
        'a.link',
        'a.link + small > span',
        '.product strong > span',
        '.product .about > small > span',
      ]) {
        const found = findAll(selector);
        const wrong = differences(texts, found, conversation);
        expect(wrong, selector).to.deep.equal([]);
      }
    });
  }
});
