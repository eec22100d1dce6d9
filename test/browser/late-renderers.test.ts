import { expect } from '@open-wc/testing';
import { contrast } from '../support/pages/color-contrast.ts';
import { mount, until } from '../support/pages/element.ts';
import { replyWith } from '../support/fakes/fake-service.ts';
import { codeColorStyles } from '../../src/markdown/code-colors.ts';
import { useLateRenderers, type LateRenderers } from '../../src/markdown/late-renderers.ts';
import { chatExtras } from '../../src/workspace-chat/chat-extras.ts';

const prefix = 'workspace-chat-';
const code = '```ts\n// A comment\nconst name: string = "x";\n```';

/** Returns the texts that are highlighted, by the kind of their tokens. */
const highlighted = (kind: string): string[] =>
  [...(CSS.highlights.get(prefix + kind) ?? [])].map((each) => {
    const range = document.createRange();
    range.setStart(each.startContainer, each.startOffset);
    range.setEnd(each.endContainer, each.endOffset);
    return range.toString();
  });

const open = async (text: string, attributes: Record<string, string> = {}, renderers: Partial<LateRenderers> = {}) => {
  const mounted = await mount([replyWith(text)], attributes);
  useLateRenderers({ ...chatExtras, ...renderers });
  await mounted.element.send('Hi');
  await until(() => mounted.find('.meta .copy'));
  return mounted;
};

describe('A formula in a reply', () => {
  it('is rendered as MathML elements, and the text around it stays', async () => {
    const { find } = await open('Let $x^2 = 2$ be, for $5.\n\n$$\n\\frac{a}{b}\n$$');
    const math = await until(() => find('.md-math math'));
    expect(math.namespaceURI).to.equal('http://www.w3.org/1998/Math/MathML');
    expect(math.querySelector('msup')).to.not.equal(null);
    expect(find('.agent .text p').textContent).to.contain('for $5.');
    const block = await until(() => find('.md-math.block math'));
    expect(block.getAttribute('display')).to.equal('block');
    expect(block.getBoundingClientRect().height).to.be.greaterThan(math.getBoundingClientRect().height);
  });

  it('is left to right in an Arabic reply', async () => {
    const { find } = await open('قيمة $a + b$ معروفة', { locale: 'ar' });
    await until(() => find('.md-math math'));
    expect(find('.agent p').dir).to.equal('rtl');
    expect(find('.md-math').dir).to.equal('ltr');
    expect(getComputedStyle(find('.md-math')).unicodeBidi).to.equal('isolate');
    const [a, b] = [...find('.md-math').querySelectorAll('mi')].map((item) => item.getBoundingClientRect().left);
    expect(a).to.be.lessThan(b!);
  });

  it('stays its source when it is not valid', async () => {
    const { find } = await open('Not valid: $\\frac{$, valid: $y^2$, unknown: $\\nosuchcommand{x}$');
    await until(() => find('.md-math math'));
    expect(find('.agent p').textContent).to.contain('$\\nosuchcommand{x}$');
    expect(find('.agent p').textContent).to.contain('$\\frac{$');
  });

  it('makes no link, no picture and no color of its own', async () => {
    const { find, findAll } = await open(
      '$x^2$ $\\href{https://a.example}{b}$ $\\includegraphics{https://a.example/x.png}$ $\\color{white}{y^2}$ $\\htmlStyle{position:fixed}{z}$',
    );
    await until(() => findAll('.md-math math').length > 1);
    expect(find('.md-math a, .md-math img, .md-math [href]')).to.equal(null);
    const [first, ...others] = findAll('.md-math mi');
    for (const other of others) expect(getComputedStyle(other).color).to.equal(getComputedStyle(first!).color);
    for (const each of findAll('.md-math *')) expect(getComputedStyle(each).position).to.not.equal('fixed');
  });

  for (const [fault, load] of [
    ['cannot be loaded', () => Promise.reject(new Error('Not found.'))],
    ['never arrives', () => new Promise<never>(() => {})],
  ] as const) {
    it(`is readable as its source when its file ${fault}`, async () => {
      const { find } = await open('Let $x^2$ be.', {}, { math: { value: null, load } });
      expect(find('.agent p').textContent).to.equal('Let $x^2$ be.');
      expect(find('math')).to.equal(null);
    });

    it(`leaves code plain when the file of the colors ${fault}`, async () => {
      const { find } = await open(code, {}, { codeColors: { value: null, load } });
      expect(find('pre').textContent).to.equal('// A comment\nconst name: string = "x";');
      expect(highlighted('keyword')).to.deep.equal([]);
    });
  }

  it('can be scrolled when it is wider than the panel', async () => {
    const wide = Array.from({ length: 60 }, (_, index) => `\\frac{a_{${index}}}{b}`).join('');
    const { element, find } = await mount([replyWith(`$$\\boxed{${wide}}$$`)], { mode: 'floating', open: '' });
    await until(() => find('dialog').matches(':popover-open'));
    // The reply arrives while the panel is hidden.
    element.hide();
    await until(() => !find('dialog').checkVisibility());
    await element.send('Hi');
    await until(() => find('.md-math math'));
    expect(find('.md-math').checkVisibility()).to.equal(false);
    element.show();
    await until(() => find('.md-math').tabIndex === 0);
    expect(find('.md-math').scrollWidth).to.be.greaterThan(find('.md-math').clientWidth);
    expect(find('.md-content').scrollWidth).to.be.at.most(find('.md-content').clientWidth);
  });
});

describe('Code in a reply', () => {
  it('has colors without an element for a token, and is copied as it is written', async () => {
    const { find } = await open(code);
    await until(() => highlighted('keyword').includes('const'));
    expect(highlighted('comment')).to.deep.equal(['// A comment\n']);
    expect(highlighted('string').join('')).to.equal('"x"');
    expect(find('pre').textContent).to.equal('// A comment\nconst name: string = "x";');
    expect(find('code').querySelectorAll('*').length).to.equal(1);
    expect(find('.md-code').dir).to.equal('ltr');
  });

  it('of an unknown language, and without a language, is plain', async () => {
    const { findAll } = await open(
      `${code}\n\n\`\`\`nosuch\nconst a = 1\n\`\`\`\n\n\`\`\`\nconst b = 2\n\`\`\`\n\n\`\`\`text\nconst c = 3\n\`\`\``,
    );
    await until(() => highlighted('keyword').length > 0);
    expect(findAll('workspace-chat-code-colors').length).to.equal(1);
  });

  it('has its colors no longer in the document when it is removed, and again when it returns', async () => {
    const { element } = await open(code);
    await until(() => highlighted('keyword').length > 0);
    const box = element.parentElement!;
    element.remove();
    expect(highlighted('keyword')).to.deep.equal([]);
    box.append(element);
    expect(highlighted('keyword')).to.include('const');
    element.reset();
    await until(() => highlighted('keyword').length === 0);
  });

  it('has the colors of long code in the right places', async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `const name${index} = "text ${index}"; // note ${index}`);
    await open(`\`\`\`js\n${lines.join('\n')}\n\`\`\``);
    await until(() => highlighted('comment').length === 400);
    expect(highlighted('comment').at(-1)).to.equal('// note 399');
    expect(highlighted('comment').at(-2)).to.equal('// note 398\n');
    expect(new Set(highlighted('keyword'))).to.deep.equal(new Set(['const']));
  });

  for (const scheme of ['light', 'dark'])
    it(`has a contrast of 4.5:1 in the ${scheme} scheme, also on the surfaces of a page’s own`, async () => {
      const { element, find } = await open(code, { 'color-scheme': scheme });
      const probe = find('.md-code').appendChild(document.createElement('span'));
      const colors = [...codeColorStyles.cssText.matchAll(/color: (oklch[^;]+);/g)].map((match) => match[1]!);
      expect(colors.length).to.equal(6);
      const themes = [
        {},
        { surface: '#fffdf5', text: '#2b2620' },
        { surface: '#101418', text: '#e8eaee' },
        { surface: '#fff', text: '#000' },
        { surface: '#000', text: '#fff' },
      ];
      for (const theme of themes) {
        for (const [name, value] of Object.entries(theme)) element.style.setProperty(`--workspace-chat-${name}`, value);
        for (const color of colors) {
          probe.style.color = color;
          const ratio = contrast(getComputedStyle(probe).color, getComputedStyle(find('.md-code')).backgroundColor);
          expect(ratio, `${color} ${JSON.stringify(theme)}`).to.be.at.least(4.5);
        }
      }
    });

  it('is painted in these colors', async () => {
    const { find } = await open(code);
    await until(() => highlighted('keyword').length > 0);
    const painted = getComputedStyle(find('code span'), `::highlight(${prefix}keyword)`).color;
    expect(painted).to.not.equal(getComputedStyle(find('code span')).color);
    expect(painted).to.match(/^oklch|^color|^rgb/);
  });
});
