import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contrast, fromHex, nearestPassing, toHex, type Rgb } from '../../../demo/studio/colors.ts';
import { ThemeHistory } from '../../../demo/studio/history.ts';
import { findColors, propose } from '../../../demo/studio/page-colors.ts';
import { fromHash, fromSchemes, parseTheme, schemesOf, toHash } from '../../../demo/studio/theme-text.ts';
import { tokens } from '../../../demo/studio/tokens.ts';
import { tokenDefaults } from '../../../scripts/manifest.ts';

/** Accepts what the tests use as valid values, as `CSS.supports` does in a browser. */
const supports = (_property: string, value: string): boolean => /^(#[\da-f]{6}|light-dark\(.*\)|[\d.]+em)$/.test(value);

const read = (text: string): Rgb | null => (/^#[\da-f]{6}$/i.test(text) ? fromHex(text) : null);

describe('The theme studio', () => {
  it('offers every custom property of the widget', () => {
    const offered = tokens.map(({ name }) => `--workspace-chat-${name}`).sort();
    assert.deepEqual(offered, [...tokenDefaults().keys()].sort());
  });

  it('moves a color only as far as the required contrast asks', () => {
    const white = fromHex('#ffffff');
    for (const hex of ['#ffd500', '#9aa0ac', '#ff0000', '#00ff88', '#fefefe']) {
      const found = nearestPassing(fromHex(hex), white, 4.5);
      const ratio = contrast(found, white);
      assert(ratio >= 4.5 && ratio < 4.8, `${hex} became ${toHex(found)} with ${ratio.toFixed(2)}`);
    }
  });

  it('leaves a color that passes unchanged, and falls back to black or white', () => {
    const [black, gray] = [fromHex('#000000'), fromHex('#777777')];
    assert.equal(toHex(nearestPassing(black, fromHex('#ffffff'), 4.5)), '#000000');
    assert.equal(toHex(nearestPassing(fromHex('#808080'), gray, 15)), '#000000');
  });

  it('reads a pasted theme and names the declarations that are not valid', () => {
    const css = `workspace-chat { /* ours */ --workspace-chat-accent: #a4472b;
      --workspace-chat-radius: 0.5em; color: red; --workspace-chat-surface: url(//evil.example); --workspace-chat-nothing: 1em }`;
    const { theme, rejected } = parseTheme(css, supports);
    assert.deepEqual(
      [...theme],
      [
        ['accent', '#a4472b'],
        ['radius', '0.5em'],
      ],
    );
    assert.deepEqual(rejected, ['surface: url(//evil.example)', 'nothing: 1em']);
  });

  it('restores a theme from the link that it created, without values that are not valid', () => {
    const theme = new Map([
      ['accent', '#a4472b'],
      ['text', 'light-dark(#111111, #eeeeee)'],
    ]);
    assert.deepEqual([...fromHash(`#${toHash(theme)}`, supports).theme], [...theme]);
    const hostile = fromHash(`#accent=${encodeURIComponent('red} body {display:none')}&radius=1em`, () => true);
    assert.deepEqual([...hostile.theme], [['radius', '1em']]);
  });

  it('splits and joins the values for light and dark pages', () => {
    assert.deepEqual(schemesOf('light-dark(rgb(1, 2, 3), #000000)'), ['rgb(1, 2, 3)', '#000000']);
    assert.deepEqual(schemesOf('#123456'), ['#123456', '#123456']);
    assert.equal(fromSchemes('#123456', '#123456'), '#123456');
    assert.equal(fromSchemes('#fff', '#000'), 'light-dark(#fff, #000)');
  });

  it('proposes the accent, the surface and the text of a page', () => {
    const css = `body { background: #fbf7f0; color: #2b2118 } .card { background-color: #fbf7f0; border: 1px solid #e4d8c8 }
      a { color: #a4472b } .button { background: #a4472b; color: #fbf7f0 } .button:hover { border-color: #a4472b }
      h1 { color: #2b2118 } .note { color: #2b2118; content: "#00ff00" } /* #ff00ff */`;
    const colors = findColors(css, read);
    assert.deepEqual(propose(colors), { accent: '#a4472b', surface: '#fbf7f0', text: '#2b2118' });
    assert.equal(colors.find(({ hex }) => hex === '#a4472b')?.count, 3);
    assert.deepEqual(propose(findColors('p { margin: 0 }', read)), {});
  });

  it('undoes the changes of one control together', () => {
    const history = new ThemeHistory(new Map());
    history.set(new Map([['accent', '#111111']]), 'accent');
    history.set(new Map([['accent', '#222222']]), 'accent');
    history.set(
      new Map([
        ['accent', '#222222'],
        ['radius', '0em'],
      ]),
      'radius',
    );
    history.undo();
    assert.deepEqual([...history.current], [['accent', '#222222']]);
    history.undo();
    assert.equal(history.current.size, 0);
    assert.equal(history.canUndo, false);
  });
});
