/** The script of the theme studio: it sets custom properties on the gallery, measures contrast, and creates the CSS. */
import { copy } from './copy.ts';
import { scenes } from './gallery-scenes.ts';
import { toHex, type Rgb } from './studio/colors.ts';
import { channels, measure, pairs, readerOf, schemes, withColor, type Pair } from './studio/contrast-table.ts';
import { ThemeHistory } from './studio/history.ts';
import { findColors, propose } from './studio/page-colors.ts';
import { presets } from './studio/presets.ts';
import { declarationsOf, fromHash, parseTheme, toHash, type Theme } from './studio/theme-text.ts';
import { renderTokens, showRendered, type TokenFormOptions } from './studio/token-form.ts';

const find = (selector: string): HTMLElement => document.querySelector(selector)!;

const textOf = (selector: string): string => (find(selector) as HTMLTextAreaElement).value;

const supports = (property: string, value: string): boolean => CSS.supports(property, value);
const hexOf = (color: string): string => toHex(channels(color));

/** Colors that depend on their place on the page, and that no canvas can resolve. */
const relative = /^(?:currentcolor|transparent|inherit|initial|unset|revert)$/i;

/** Reads a color, or returns null for other words and for colors that are not opaque. */
const readColor = (text: string): Rgb | null => {
  if (relative.test(text) || !supports('color', text)) return null;
  const isOpaque = !/\/\s*(?!1\b|100%)|^(?:rgb|hsl)a\(.*,\s*0?\.\d+\s*\)$|^#(?:...[^f]|.{6}(?!ff)..)$/i.test(text);
  return isOpaque ? channels(text) : null;
};

const frame = find('#preview') as HTMLIFrameElement;
const history = new ThemeHistory(fromHash(location.hash, supports).theme);

const apply = (): void => {
  const rules = declarationsOf(history.current);
  find('#css').textContent = rules ? `workspace-chat {\n${rules}\n}` : '/* No property is changed. */';
  find('#undo').toggleAttribute('disabled', !history.canUndo);
  const hash = toHash(history.current);
  globalThis.history.replaceState(null, '', hash ? `#${hash}` : location.pathname);
  const page = frame.contentDocument;
  if (!page?.head) return;
  const style =
    page.querySelector<HTMLStyleElement>('#studio') ??
    page.head.appendChild(Object.assign(page.createElement('style'), { id: 'studio' }));
  // Hide the gallery's own header.
  style.textContent = `body > header { display: none }\ngallery-chat {\n${rules}\n}`;
  requestAnimationFrame(showMeasured);
};

const change = (theme: Theme, cause: string): void => {
  history.set(theme, cause);
  apply();
};

/** Returns a color of the widget as the preview renders it in a scheme, or null before it does. */
const renderedColor = (name: string, scheme: number): string | null => {
  const reader = readerOf(frame.contentDocument, schemes[scheme]!);
  const color = reader && toHex(reader.read(`--_${name}`));
  reader?.close();
  return color;
};

const formOptions: TokenFormOptions = {
  supports,
  toHex: hexOf,
  rendered: renderedColor,
  onChange: (name, value) => {
    const theme = new Map(history.current);
    if (value === null) theme.delete(name);
    else theme.set(name, value);
    change(theme, name);
  },
};

const showTokens = (): void => renderTokens(find('#tokens'), history.current, formOptions);

/** Replaces the whole theme, or a part of it, and shows it in the form. */
const replace = (theme: Theme, cause: string): void => {
  change(theme, cause);
  showTokens();
};

/** Returns the theme in which a pair of colors has enough contrast in one scheme. */
const corrected = ({ token }: Pair, scheme: number, hex: string): Theme => {
  const rendered = [...schemes.keys()].map((each) => renderedColor(token, each) ?? hex);
  return withColor(history.current, token, scheme, hex, rendered);
};

const renderCell = (each: Pair, scheme: number): { cell: HTMLElement; hasPassed: boolean } => {
  const cell = document.createElement('td');
  const reader = readerOf(frame.contentDocument, schemes[scheme]!);
  if (!reader) {
    cell.textContent = '…';
    return { cell, hasPassed: true };
  }
  const { ratio, correction } = measure(each, reader.read);
  reader.close();
  cell.className = correction === null ? 'pass' : 'fail';
  cell.textContent = `${ratio.toFixed(1)} ${correction === null ? '✓' : `✗ needs ${each.required}`} `;
  if (correction === null) return { cell, hasPassed: true };
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Fix' });
  button.setAttribute('aria-label', `Fix ${each.label.toLowerCase()}, ${schemes[scheme]}`);
  button.addEventListener('click', () => replace(corrected(each, scheme, correction), `fix ${each.label} ${scheme}`));
  cell.append(button);
  return { cell, hasPassed: false };
};

const showContrast = (): void => {
  let failures = 0;
  const rows = pairs.map((each) => {
    const row = document.createElement('tr');
    row.append(Object.assign(document.createElement('th'), { scope: 'row', textContent: each.label }));
    for (const scheme of schemes.keys()) {
      const { cell, hasPassed } = renderCell(each, scheme);
      if (!hasPassed) failures++;
      row.append(cell);
    }
    return row;
  });
  find('#contrast tbody').replaceChildren(...rows);
  find('#fix').hidden = failures === 0;
  find('#verdict').textContent =
    failures === 0
      ? 'All pairs have enough contrast for WCAG AA.'
      : `${failures} ${failures === 1 ? 'pair is' : 'pairs are'} below the required contrast.`;
};

/** Shows what the preview renders. */
const showMeasured = (): void => {
  showRendered(find('#tokens'), history.current, formOptions);
  showContrast();
};

/** Corrects one pair after the other, because a corrected background changes other pairs. */
const fixAll = (): void => {
  for (let round = 0; round < 3; round++) {
    for (const each of pairs) {
      for (const scheme of schemes.keys()) {
        const reader = readerOf(frame.contentDocument, schemes[scheme]!);
        const correction = reader && measure(each, reader.read).correction;
        reader?.close();
        if (correction) replace(corrected(each, scheme, correction), 'fix all');
      }
    }
  }
};

const showFound = (): void => {
  const colors = findColors(textOf('#page-css'), readColor);
  const proposal = Object.entries(propose(colors));
  const box = find('#found');
  box.textContent = proposal.length > 0 ? '' : 'No colors were found.';
  for (const [name, hex] of proposal) {
    const swatch = Object.assign(document.createElement('span'), {
      className: 'swatch',
      textContent: `${name} ${hex}`,
    });
    swatch.style.setProperty('--swatch', hex);
    box.append(swatch);
  }
  if (proposal.length === 0) return;
  const use = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Use these' });
  use.addEventListener('click', () => replace(new Map([...history.current, ...proposal]), 'page colors'));
  box.append(use);
};

const importTheme = (): void => {
  const { theme, rejected } = parseTheme(textOf('#theme-css'), supports);
  if (theme.size > 0) replace(theme, 'import');
  const count = `${theme.size} ${theme.size === 1 ? 'property' : 'properties'} imported.`;
  find('#imported').textContent = rejected.length > 0 ? `${count} Not valid: ${rejected.join('; ')}` : count;
};

const copyOn = (selector: string, text: () => string): void => {
  const button = find(selector);
  const label = button.textContent;
  button.addEventListener('click', async () => {
    if (!(await copy(text()))) return;
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
};

const select = find('#scene') as HTMLSelectElement;
select.append(
  new Option('Everything', ''),
  // The gallery sets the brands' own properties.
  ...scenes.filter(({ brand }) => !brand).map(({ id, title }) => new Option(title, id)),
);
select.value = 'panel-launcher';

/** The HTML of the gallery in a release, where the studio is one file. */
const gallery = document.querySelector('#gallery')?.textContent;

const show = (): void => {
  const query = select.value ? `scene=${select.value}` : '';
  if (gallery) frame.srcdoc = (JSON.parse(gallery) as string).replace('<html', `<html data-query="${query}"`);
  else frame.src = `gallery.html?${query}`;
};

find('#presets').append(
  ...presets(supports).map(({ name, theme }) => {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: name });
    button.addEventListener('click', () => replace(theme, `preset ${name}`));
    return button;
  }),
);
find('#tokens').addEventListener('submit', (event) => event.preventDefault());
select.addEventListener('change', show);
frame.addEventListener('load', () => {
  apply();
  // The gallery renders its widgets after its script has run.
  setTimeout(showMeasured, 500);
});
find('#undo').addEventListener('click', () => {
  history.undo();
  apply();
  showTokens();
});
find('#reset').addEventListener('click', () => replace(new Map(), 'reset'));
find('#fix').addEventListener('click', fixAll);
find('#find').addEventListener('click', showFound);
find('#import').addEventListener('click', importTheme);
copyOn('#copy', () => find('#css').textContent ?? '');
copyOn('#share', () => location.href);
showTokens();
show();
