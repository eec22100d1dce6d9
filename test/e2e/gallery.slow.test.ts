import { expect, it as base } from '../support/fixtures.ts';
import { accessibilityViolations } from '../support/pages/axe.ts';
import { showGallery } from '../support/pages/gallery.ts';
import type { BrowserContextOptions, Page } from '@playwright/test';

const it = base.extend<{ openGallery(query: string, options?: BrowserContextOptions): Promise<Page> }>({
  openGallery: async ({ newPage, demo, allowedErrors }, use) => {
    allowedErrors.push(/images\.example/);
    await use(async (query, options) => {
      const page = await newPage({ reducedMotion: 'reduce', ...options });
      await showGallery(page, demo.url, query);
      return page;
    });
  },
});

/** Sets the spacing of WCAG 1.4.12 in every chat. Returns whether it applies. */
const setTextSpacing = async (): Promise<boolean> => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
    p { margin-block-end: 2em !important; }`);
  for (const { shadowRoot } of document.querySelectorAll('gallery-chat')) shadowRoot!.adoptedStyleSheets.push(sheet);
  // The observers of sizes have run by then.
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  const { letterSpacing, fontSize } = getComputedStyle(
    document.querySelector('gallery-chat')!.shadowRoot!.querySelector('.bubble')!,
  );
  return Math.abs(Number.parseFloat(letterSpacing) / Number.parseFloat(fontSize) - 0.12) < 0.01;
};

/** Returns the elements whose text is hidden by their own box, or leaves it, without a scroll bar that leads to it. */
const findCutTexts = (): string[] => {
  const isCut = (element: HTMLElement): boolean => {
    const { overflowX, overflowY, display } = getComputedStyle(element);
    if (element.closest('.visually-hidden')) return false;
    if (display === 'inline' || display === 'contents' || element.clientWidth < 2) return false;
    const isWide = element.scrollWidth > element.clientWidth + 1 && !/auto|scroll/.test(overflowX);
    // The descenders of a line may leave its box by two pixels.
    return isWide || (element.scrollHeight > element.clientHeight + 2 && !/auto|scroll/.test(overflowY));
  };
  return [...document.querySelectorAll('gallery-chat')].flatMap(({ parentElement, shadowRoot }) =>
    [...shadowRoot!.querySelectorAll<HTMLElement>('.root *:not(svg *, math *)')]
      .filter((element) => element.checkVisibility() && element.innerText?.trim() && isCut(element))
      .map((element) => `${parentElement!.closest('section')!.id}: ${element.outerHTML.slice(0, 160)}`),
  );
};

/** Returns the elements that leave the chat or their bubble at a side, and cannot be scrolled to. */
const findOverflowing = (): string[] => {
  const isHidden = (element: Element) =>
    element.closest('.visually-hidden, math') !== null ||
    element.parentElement!.closest('.md-table, pre') !== null ||
    !element.checkVisibility();
  return [...document.querySelectorAll('gallery-chat')].flatMap((chat) => {
    return [...chat.shadowRoot!.querySelectorAll('.root *:not(svg *)')]
      .filter((element) => !isHidden(element))
      .filter((element) => {
        const box = (element.closest('.bubble') ?? chat).getBoundingClientRect();
        const { left, right } = element.getBoundingClientRect();
        return left < box.left - 1 || right > box.right + 1;
      })
      .map((element) => `${chat.closest('section')!.id}: ${element.outerHTML.slice(0, 120)}`);
  });
};

/**
 * Returns the words and the runs that are broken within, and the lines that begin with the punctuation behind a run. Addresses may be
 * broken, and runs with more characters than `longest`.
 */
const findBrokenWords = (longest: number): { words: number; broken: string[] } => {
  let words = 0;
  const range = document.createRange();
  const linesOf = (node: Text, start: number, end: number): number => {
    range.setStart(node, start);
    range.setEnd(node, end);
    const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top);
    return tops.reduce((lines, top, index) => lines + Number(index === 0 || top > tops[index - 1]! + 4), 0);
  };
  /** Whether only screen readers find the text. */
  const isClipped = (element: Element | null): boolean =>
    element !== null && (getComputedStyle(element).clipPath !== 'none' || isClipped(element.parentElement));
  const textsOf = (root: Element): Text[] => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    for (let node; (node = walker.nextNode() as Text | null);) {
      const parent = node.parentElement!;
      const isShown = parent.checkVisibility() && !parent.closest('pre, code, math, var, option, svg');
      if (node.data.trim() && isShown && !isClipped(parent)) found.push(node);
    }
    return found;
  };
  const broken = [...document.querySelectorAll('gallery-chat')].flatMap(({ parentElement, shadowRoot }) =>
    [...shadowRoot!.querySelectorAll('.root')].flatMap(textsOf).flatMap((node) => {
      const scene = parentElement!.closest('section')!.id;
      const found: string[] = [];
      for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
        if (/[@/]|\p{L}\.\p{L}|\p{Nd}{5}/u.test(word)) continue;
        words++;
        // A word is broken behind its hyphen.
        for (const part of word.matchAll(/[^-–—]+[-–—]*/g))
          if (linesOf(node, index + part.index, index + part.index + part[0].length) > 1)
            found.push(`${scene}: ${word}`);
      }
      const ownRun = node.parentElement!.closest('bdi');
      if (ownRun && node.data.length <= longest && linesOf(node, 0, node.length) > 1)
        found.push(`${scene}: ${node.data}`);
      const { previousSibling: before } = node;
      const run = before instanceof Element ? (before.querySelector('bdi') ?? before) : null;
      if (!run?.matches('bdi') || !/^[.,،؛:؟?!»)…]/.test(node.data)) return found;
      range.setStart(node, 0);
      range.setEnd(node, 1);
      const { top } = range.getBoundingClientRect();
      const { bottom } = [...run.getClientRects()].at(-1)!;
      if (top > bottom - 4) found.push(`${scene}: ${node.data[0]} behind ${run.textContent}`);
      return found;
    }),
  );
  return { words, broken };
};

/** Returns the fields whose placeholder has a word that is wider than the field. */
const findNarrowFields = (): string[] => {
  const context = document.createElement('canvas').getContext('2d')!;
  return [...document.querySelectorAll('gallery-chat')].flatMap(({ parentElement, shadowRoot }) =>
    [...shadowRoot!.querySelectorAll('textarea')]
      .filter((field) => field.checkVisibility())
      .filter((field) => {
        const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(field);
        context.font = font;
        const room = field.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd);
        return field.placeholder.split(' ').some((word) => context.measureText(word).width > room);
      })
      .map(() => parentElement!.closest('section')!.id),
  );
};

it.describe('the gallery', () => {
  it('opens at its top', async ({ openGallery }) => {
    const page = await openGallery('');
    await expect(page.locator('gallery-chat [aria-invalid=true]').first()).toBeAttached();
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
  });

  // 320 px is a window of 1,280 px at 400 %.
  for (const { language, name, width, text, longest } of [
    { language: 'en', name: 'English', width: 360, text: 100, longest: 16 },
    { language: 'ar', name: 'Arabic', width: 360, text: 100, longest: 16 },
    { language: 'en', name: 'English', width: 320, text: 100, longest: 12 },
    { language: 'ar', name: 'Arabic', width: 320, text: 100, longest: 12 },
    { language: 'en', name: 'English', width: 360, text: 200, longest: 8 },
    { language: 'ar', name: 'Arabic', width: 360, text: 200, longest: 8 },
  ])
    it(`fits into ${width} px at ${text} % text in ${name}, breaks no word and no run, and begins no line with the punctuation after a run`, async ({
      openGallery,
    }) => {
      const viewport = { width, height: 900 };
      const page = await openGallery(`?language=${language}&scheme=light&text=${text}`, { viewport });
      expect(await page.evaluate(findOverflowing)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      const { words, broken } = await page.evaluate(findBrokenWords, longest);
      expect(words).toBeGreaterThan(300);
      expect(broken).toEqual([]);
      expect(await page.evaluate(findNarrowFields)).toEqual([]);
    });

  for (const language of ['en', 'ar'])
    it(`shows no ISO date, no snake_case and no resource id in any scene (${language})`, async ({ openGallery }) => {
      const page = await openGallery(`?language=${language}`);
      const shown = await page.evaluate<string[]>(`
        [...document.querySelectorAll('gallery-chat')].flatMap(({ shadowRoot }) => {
          const labeled = [...shadowRoot.querySelectorAll('[aria-label], [title]')];
          const labels = labeled.flatMap((each) => [each.ariaLabel ?? '', each.title]);
          return [...shadowRoot.querySelectorAll('.panel, .root')].flatMap((root) => [root.innerText, ...labels]);
        })`);
      expect(shown.join('').length).toBeGreaterThan(5_000);
      // A formula in TeX, whose renderer may not have arrived.
      const texts = shown.map((text) => text.replaceAll('p_i', ''));
      expect(texts.flatMap((text) => text.match(/\d{4}-\d{2}-\d{2}|[a-z]+_[a-z]+|\b[a-z]{3}_\w+/gi) ?? [])).toEqual([]);
    });

  it('forced colors show every icon, every badge and every dot in a color of the visitor', async ({ openGallery }) => {
    const page = await openGallery('', { forcedColors: 'active' });
    const { icons, dots, tiles, badges, wrong } = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      const system = new Set(
        ['CanvasText', 'ButtonText', 'GrayText', 'LinkText', 'HighlightText'].map((name) => {
          probe.style.color = name;
          return getComputedStyle(probe).color;
        }),
      );
      const all = [...document.querySelectorAll('gallery-chat')].flatMap(({ shadowRoot }) => [
        ...shadowRoot!.querySelectorAll('.root *:not(svg *), .launcher *:not(svg *)'),
      ]);
      const shown = all.filter((element) => element.checkVisibility());
      const icons = shown.filter((element) => element.localName === 'svg');
      // A shape without a text is visible only by its border, because forced colors replace its background.
      const dots = shown.filter(
        (element) => element.localName === 'i' && element.getBoundingClientRect().width > 0 && !element.textContent,
      );
      const tiles = shown.filter((element) => element.matches('.tile'));
      const badges = shown.filter((element) => element.matches('.badge'));
      const wrong = [
        ...badges.filter((element) => {
          const { outlineStyle, outlineColor } = getComputedStyle(element);
          return outlineStyle !== 'solid' || !system.has(outlineColor);
        }),
        // A hole in a dot, where the width of its border is rounded.
        ...dots.filter(({ clientWidth, clientHeight }) => clientWidth + clientHeight > 0),
        ...icons.filter((element) => !system.has(getComputedStyle(element).color)),
        ...[...dots, ...tiles].filter((element) => {
          const { borderTopColor, borderTopWidth, backgroundColor } = getComputedStyle(element);
          return Number.parseFloat(borderTopWidth) === 0 || borderTopColor === backgroundColor;
        }),
      ].map((element) => element.parentElement!.outerHTML.slice(0, 160));
      return { icons: icons.length, dots: dots.length, tiles: tiles.length, badges: badges.length, wrong };
    });
    expect(badges).toBeGreaterThan(3);
    expect(icons).toBeGreaterThan(50);
    expect(dots).toBeGreaterThan(5);
    expect(tiles).toBeGreaterThan(5);
    expect(wrong).toEqual([]);
  });

  it('forced colors show code without colors, which Chromium would paint like a selection', async ({ openGallery }) => {
    const page = await openGallery('?scene=formulas-and-code&language=en&scheme=light', { forcedColors: 'active' });
    await page.waitForFunction('CSS.highlights.size > 3');
    const code = page.locator('gallery-chat .md-code pre');
    const colored = await code.screenshot();
    await page.evaluate('CSS.highlights.clear()');
    expect(colored.equals(await code.screenshot())).toBe(true);
  });

  it('icons are as large in relation to text of 200 % as to text of 100 %', async ({ openGallery }) => {
    const sizes = async (text: number) => {
      const page = await openGallery(`?language=en&scheme=light&text=${text}`);
      return page.evaluate(() =>
        [...document.querySelectorAll('gallery-chat:not([class])')].flatMap(({ shadowRoot, parentElement }) =>
          [...shadowRoot!.querySelectorAll('.root svg, .copy')].map((icon) => ({
            name: `${parentElement!.closest('section')!.id}: ${icon.outerHTML.slice(0, 120)}`,
            size: Number.parseFloat(getComputedStyle(icon, icon.matches('.copy') ? '::after' : '').inlineSize),
          })),
        ),
      );
    };
    const [normal, large] = [await sizes(100), await sizes(200)];
    const sizeOf = new Map(normal.map(({ name, size }) => [name, size]));
    const compared = large.filter(({ name, size }) => sizeOf.get(name)! > 0 && size > 0);
    expect(compared.length).toBeGreaterThan(30);
    expect(compared.filter(({ name, size }) => size < 1.9 * sizeOf.get(name)!)).toEqual([]);
  });

  for (const width of [1280, 360])
    it(`every control is at least 24 px wide and high at ${width} px`, async ({ openGallery }) => {
      const page = await openGallery('?scheme=light', { viewport: { width, height: 900 } });
      const { controls, small } = await page.evaluate(() => {
        const all = [...document.querySelectorAll('gallery-chat')].flatMap(({ shadowRoot }) => [
          ...shadowRoot!.querySelectorAll('button, summary, input, select, textarea, a.chip'),
        ]);
        const controls = all.filter((control) => control.checkVisibility());
        const small = controls.filter((control) => {
          const { width, height } = control.getBoundingClientRect();
          return width < 24 || height < 24;
        });
        return { controls: controls.length, small: small.map(({ outerHTML }) => outerHTML.slice(0, 160)) };
      });
      expect(controls).toBeGreaterThan(150);
      expect(small).toEqual([]);
    });

  it('every control shows the focus of the keyboard', async ({ openGallery }) => {
    const page = await openGallery('?language=en');
    await page.keyboard.press('Tab');
    const { focused, hidden } = await page.evaluate(() => {
      let focused = 0;
      const hidden: string[] = [];
      for (const { shadowRoot } of document.querySelectorAll('gallery-chat'))
        for (const control of shadowRoot!.querySelectorAll<HTMLElement>(
          'button, summary, input, select, textarea, a',
        )) {
          if (!control.checkVisibility()) continue;
          control.focus({ preventScroll: true });
          if (shadowRoot!.activeElement !== control) continue;
          focused++;
          // The box of the composer shows the focus of its field.
          const shown = control.closest('textarea') ? control.closest('.field')! : control;
          const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(shown);
          const isShown =
            outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 2 && outlineColor !== 'rgba(0, 0, 0, 0)';
          if (!isShown) hidden.push(control.outerHTML.slice(0, 160));
        }
      return { focused, hidden };
    });
    expect(focused).toBeGreaterThan(150);
    expect(hidden).toEqual([]);
  });

  it('discs, starters, options and sources have the sizes of the design', async ({ openGallery }) => {
    const page = await openGallery('?language=en&scheme=light');
    const sizes = await page.evaluate(() => {
      const sizeOf = (scene: string, selector: string, side: 'width' | 'height') => {
        const { shadowRoot } = document.querySelector(`#${scene} gallery-chat`)!;
        return Math.floor(shadowRoot!.querySelector(selector)!.getBoundingClientRect()[side]);
      };
      return {
        disc: sizeOf('panel-fresh', '.header .avatar', 'height'),
        discOfMessage: sizeOf('answer', '.message > .avatar', 'height'),
        source: sizeOf('answer', '.sources .chip', 'height'),
        starter: sizeOf('panel-fresh', '.starter', 'height'),
        option: sizeOf('options', '.option', 'height'),
        tile: Math.round(sizeOf('products', '.tile', 'height') + 0.5),
        iconButton: sizeOf('panel-fresh', '.header .icon-button', 'width'),
      };
    });
    expect(sizes).toEqual({
      disc: 36,
      discOfMessage: 28,
      source: 24,
      starter: 44,
      option: 40,
      tile: 64,
      iconButton: 36,
    });
  });

  it('axe finds no violation in any scene', async ({ openGallery }) => {
    expect(await accessibilityViolations(await openGallery(''))).toEqual([]);
  });

  for (const { language, name, width } of [
    { language: 'en', name: 'English', width: 1280 },
    { language: 'en', name: 'English', width: 360 },
    { language: 'ar', name: 'Arabic', width: 360 },
  ])
    it(`no text is cut or leaves its box with the text spacing of WCAG 1.4.12, in ${name} at ${width} px`, async ({
      openGallery,
    }) => {
      const page = await openGallery(`?language=${language}&scheme=light`, { viewport: { width, height: 900 } });
      const before = new Set(await page.evaluate(findCutTexts));
      expect(await page.evaluate(setTextSpacing)).toBe(true);
      const cut = await page.evaluate(findCutTexts);
      expect(cut.filter((each) => !before.has(each))).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });

  it('the gallery sends no request except for its own files', async ({ page, demo }) => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).origin));
    await page.goto(`${demo.url}gallery.html?scene=form`);
    await expect(page.locator('gallery-chat form').first()).toBeVisible();
    const origins = new Set(requested.filter((origin) => origin.startsWith('http')));
    expect([...origins]).toEqual([new URL(demo.url).origin]);
  });
});
