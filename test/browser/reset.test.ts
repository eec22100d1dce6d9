import { expect } from '@open-wc/testing';
import { finishAnimations, mount, until, type Mounted } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

/** Values of all kinds of properties. The first one that a property accepts, and that differs from its initial one, is used. */
const candidates = `
  none; hidden; rtl; vertical-rl; vertical-lr; collapse; break-all; anywhere; justify; uppercase;
  always; manual; all; italic; small-caps; bold; condensed; crosshair; inside; dark; pre; hide;
  under; over; sideways; upright; digits 2; stroke; optimizeSpeed; geometricPrecision; pixelated;
  evenodd; bevel; round; square; middle; linearRGB; from-image; exact; economy; isolate;
  rgb(1, 2, 3); dot red; 3px red; 2px 2px red; 3px; 7; 0.3; 2; 40%; 9em; "smcp"; "wght" 100; "§";
  "«" "»"; triangle; balance; break-spaces; keep-all; loose; strict; allow-end; first; trim-start;
  no-autospace; block; open; filled red; ruby; alternate; slashed-zero; historical-forms; sub;
  emoji; oldstyle-nums; common-ligatures; no-common-ligatures; weight; no-contextual; scale-down;
  self; auto; manipulation; thin; red blue; url("#marker"); 5 3; ellipsis; both; start; preserve;
  cursive; 300%; 0.5; touch; read-only; 8 2 3;
`
  .trim()
  .split(/;\s*/)
  .filter(Boolean);

const page = [document.documentElement, document.body];
const setOnPage = (name: string, value: string): void => {
  for (const element of page) element.style.setProperty(name, value);
};

/** Finds each property that the browser knows and an element inherits, with a value that is not its initial one. */
const findInherited = (): Map<string, string> => {
  const outer = document.createElement('div');
  const inner = document.createElement('div');
  outer.append(inner);
  document.body.append(outer);
  const [outerStyle, innerStyle] = [getComputedStyle(outer), getComputedStyle(inner)];
  const found = new Map<string, string>();
  for (const name of new Set(outerStyle)) {
    if (name.startsWith('--')) continue;
    const before = innerStyle.getPropertyValue(name);
    const value = candidates.find((candidate) => {
      outer.style.cssText = '';
      outer.style.setProperty(name, candidate);
      return outer.style.cssText !== '' && outerStyle.getPropertyValue(name) !== before;
    });
    outer.style.cssText = value === undefined ? '' : `${name}: ${value}`;
    // A property such as the size of a box follows from others.
    const isInherited = value !== undefined && innerStyle.getPropertyValue(name) === outerStyle.getPropertyValue(name);
    if (isInherited && innerStyle.getPropertyValue(name) !== before) found.set(name, value);
  }
  outer.remove();
  return found;
};

/** Properties that the page decides: what a visitor sees of them is not text or layout. */
const isOfPage = (name: string): boolean => name === 'color-scheme';

describe('The styles of the page', () => {
  afterEach(() => {
    for (const element of page) element.removeAttribute('style');
    for (const sheet of document.querySelectorAll('style.added')) sheet.remove();
  });

  const openChat = async (locale: string): Promise<Mounted> => {
    const attributes = { mode: 'floating', open: '', locale, feedback: '', 'launcher-label': 'Help', teaser: '' };
    const chat = await mount([streamed(started(), 'Call **+968 9000 0000**, or:\n\n- one\n- two')], attributes);
    await until(() => chat.find('.panel')?.matches(':popover-open') && chat.find('.launcher-box:popover-open'));
    await chat.element.send('Hi');
    await until(() => chat.find('.feedback'));
    return chat;
  };

  const inside = ({ findAll }: Mounted): HTMLElement[] => findAll('.root, .root *');

  const snapshot = (elements: readonly HTMLElement[], names: readonly string[]): string[] =>
    elements.map((element) => {
      const style = getComputedStyle(element);
      return names.map((name) => style.getPropertyValue(name)).join('|');
    });

  const differences = (chat: Mounted, names: readonly string[], change: () => void, restore: () => void): string[] => {
    const elements = inside(chat);
    // The values of an animation are rounded.
    finishAnimations(chat.element);
    const before = snapshot(elements, names);
    change();
    const after = snapshot(elements, names);
    restore();
    return elements.flatMap((element, index) =>
      before[index] === after[index]
        ? []
        : [`${element.localName}.${element.className}: ${before[index]} → ${after[index]}`],
    );
  };

  for (const locale of ['en', 'ar']) {
    it(`that are inherited reach nothing inside a chat in ${locale}, one by one`, async function () {
      this.timeout(120_000);
      const chat = await openChat(locale);
      const inherited = findInherited();
      expect(inherited.size).to.be.greaterThan(60);
      expect([...inherited.keys()]).to.include.members([
        'pointer-events',
        'hyphens',
        'visibility',
        'writing-mode',
        'direction',
      ]);
      const failures = [...inherited].flatMap(([name, value]) => {
        if (isOfPage(name)) return [];
        const watched = [name, 'inline-size', 'block-size', 'font-size', 'line-height', 'color'];
        const set = () => setOnPage(name, value);
        const [first] = differences(chat, watched, set, () => setOnPage(name, ''));
        return first ? [`${name}: ${value}: ${first}`] : [];
      });
      expect(failures).to.deep.equal([]);
    });

    it(`that are inherited reach nothing inside a chat in ${locale}, all at once and on every element`, async function () {
      this.timeout(60_000);
      const chat = await openChat(locale);
      const own = ['visibility', 'opacity', 'display', 'color-scheme'];
      const rules = [...findInherited()]
        .filter(([name]) => !own.includes(name))
        .map(([name, value]) => `${name}: ${value}`);
      const sheet = document.createElement('style');
      sheet.className = 'added';
      const names = [...new Set(getComputedStyle(document.body))].filter((name) => !/origin|^perspective/.test(name));
      sheet.textContent = `* { ${rules.join(';')} }`;
      const failures = differences(
        chat,
        names,
        () => document.head.append(sheet),
        () => sheet.remove(),
      );
      expect(failures.slice(0, 3)).to.deep.equal([]);
    });
  }

  it('that change the box of the page do not change computed values inside', async () => {
    const chat = await openChat('en');
    const names = ['font-size', 'writing-mode', 'direction', 'opacity', 'transform', 'filter', 'pointer-events'];
    // A larger zoom leaves less room, and a panel adapts to its height.
    chat.element.style.setProperty('--workspace-chat-height', '10em');
    const values = { zoom: '1.05', opacity: '0.5', filter: 'blur(1px)', transform: 'scale(0.5)', contain: 'paint' };
    const others = { 'writing-mode': 'vertical-rl', direction: 'rtl' };
    for (const [name, value] of Object.entries({ ...values, ...others })) {
      const found = differences(
        chat,
        names,
        () => setOnPage(name, value),
        () => setOnPage(name, ''),
      );
      expect(found, name).to.deep.equal([]);
    }
  });

  it('do not change an inline chat either', async () => {
    const chat = await mount([streamed(started())]);
    await chat.element.send('Hi');
    await until(() => chat.find('.meta .copy'));
    const names = ['writing-mode', 'visibility', 'pointer-events', 'hyphens', 'inline-size', 'block-size', 'cursor'];
    for (const [name, value] of [
      ['writing-mode', 'vertical-rl'],
      ['visibility', 'hidden'],
      ['pointer-events', 'none'],
      ['hyphens', 'auto'],
      ['cursor', 'wait'],
    ] as const) {
      const found = differences(
        chat,
        names.filter((each) => name !== 'writing-mode' || !each.endsWith('size')),
        () => setOnPage(name, value),
        () => setOnPage(name, ''),
      );
      expect(found, name).to.deep.equal([]);
    }
  });
});

describe('The owner’s styles of the element', () => {
  afterEach(() => {
    for (const sheet of document.querySelectorAll('style.added')) sheet.remove();
  });

  const addStyle = (css: string): void => {
    const sheet = document.createElement('style');
    sheet.className = 'added';
    sheet.textContent = `workspace-chat { ${css} }`;
    document.head.append(sheet);
  };

  for (const [mode, selectors] of [
    ['floating', ['.launcher', '.panel']],
    ['inline', ['.panel']],
  ] as const)
    describe(`with mode="${mode}"`, () => {
      const openChat = async () => {
        const chat = await mount([], { mode, open: '' });
        await until(() => mode === 'inline' || chat.find('.panel')?.matches(':popover-open'));
        return selectors.map((selector) => chat.find(selector));
      };

      it('hide the chat with display', async () => {
        const shown = await openChat();
        addStyle('display: none');
        for (const element of shown) expect(element.checkVisibility(), element.className).to.equal(false);
      });

      it('hide the chat with visibility', async () => {
        const shown = await openChat();
        addStyle('visibility: hidden');
        for (const element of shown)
          expect(element.checkVisibility({ visibilityProperty: true }), element.className).to.equal(false);
      });

      it('hide the chat with opacity', async () => {
        const shown = await openChat();
        addStyle('opacity: 0');
        for (const element of shown) {
          for (const animation of element.getAnimations()) animation.finish();
          const chain = [];
          for (
            let each: Element | null = element;
            each;
            each = each.parentElement ?? (each.getRootNode() as ShadowRoot).host
          )
            if (!each.matches('workspace-chat') || mode === 'inline') chain.push(getComputedStyle(each).opacity);
          expect(chain, element.className).to.include('0');
        }
      });
    });

  it('apply opacity once to an inline chat', async () => {
    const { find } = await mount();
    addStyle('opacity: 0.5');
    expect(getComputedStyle(find('.panel')).opacity).to.equal('1');
  });
});
