import { expect } from '@open-wc/testing';
import bidiFactory from 'bidi-js';
import { mixedTexts, withoutMarks } from '../../support/mixed-texts.ts';
import { mount, unmountAll, until } from '../../support/pages/element.ts';
import { response, started, streamed } from '../../support/fakes/fake-service.ts';

const bidi = bidiFactory();

/** The characters of the Unicode bidirectional algorithm that isolate what the marks of the corpus enclose. */
const controls: Record<string, string> = { '⟦': '\u2066\u202d', '⟧': '\u202c\u2069', '⟪': '\u2068', '⟫': '\u2069' };

/** Returns the characters from left to right, as the Unicode bidirectional algorithm places them with isolates. */
const expectedOrder = (text: string): string => {
  const controlled = text.replaceAll(/[⟦⟧⟪⟫]/g, (mark) => controls[mark]!);
  const levels = bidi.getEmbeddingLevels(controlled);
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
      placed.push({ character: node.data[at]!, left: left + width / 2, at: placed.length });
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
  const isRight = renderedOrder(paragraph) === expectedOrder(paragraph.textContent);
  paragraph.remove();
  return isRight;
};

describe('A text of mixed direction', () => {
  before(function () {
    if (!reportsPlaces()) this.skip();
  });

  afterEach(unmountAll);

  /** Returns the texts whose rendered order is another one than the expected one. */
  const differences = (texts: readonly string[], elements: readonly Element[]) =>
    texts.flatMap((text, index) => {
      const [expected, rendered] = [expectedOrder(text), renderedOrder(elements[index]!)];
      return expected === rendered ? [] : [{ text, expected, rendered }];
    });

  const texts = mixedTexts.filter(isPlain);

  it('has in a reply the visual order of the Unicode bidirectional algorithm with isolates', async () => {
    expect(texts.length).to.be.greaterThan(150);
    const content = texts.map(withoutMarks).join('\n\n');
    const { element, findAll } = await mount([streamed(started({ message: { id: 'm', role: 'assistant', content } }))]);
    element.style.setProperty('--workspace-chat-font-size', '9px');
    await element.send('Hi');
    await until(() => findAll('.text p bdi').length > 150);
    expect(differences(texts, findAll('.text p'))).to.deep.equal([]);
  });

  it('has the same order in the visitor’s messages', async () => {
    const sent = texts.filter((_, index) => index % 20 === 0);
    const { element, findAll } = await mount([streamed(started()), ...sent.slice(1).map(() => streamed(response()))]);
    element.style.setProperty('--workspace-chat-font-size', '9px');
    for (const text of sent) await element.send(withoutMarks(text));
    await until(() => findAll('.visitor bdi').length > sent.length / 2);
    expect(differences(sent, findAll('.visitor .bubble'))).to.deep.equal([]);
  });
});
