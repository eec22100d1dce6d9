/**
 * Colors, and a fallback of `:dir()`, for browsers without `light-dark()` (before Chrome 123 and Safari 17.5) or relative colors (before Chrome 119 and
 * Firefox 128). Loaded there only. The page's own `color-scheme` has no effect in them: the attribute and the system decide.
 */
import type { CSSResult } from 'lit';
import { adopt } from './adopt.ts';

/** Returns the declarations of tokens, as pairs of a name and a value. */
const declarationsOf = ({ cssText }: CSSResult): [string, string][] =>
  [...cssText.matchAll(/(--_[\w-]+):([^;}]*)/g)].map(([, name = '', value = '']) => [name, value.trim()]);

/** Returns the position after the bracket that closes the one before `start`, and of the first comma between them. */
const findEnd = (text: string, start: number): { comma: number; end: number } => {
  let depth = 1;
  let comma = -1;
  let end = start;
  for (; depth > 0; end++) {
    const character = text[end];
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 1 && comma < 0) comma = end;
  }
  return { comma, end };
};

const lightDark = 'light-dark(';

/**
 * Replaces each `light-dark(a, b)` by two variables with a fallback. One of the variables is empty, and the other one is
 * invalid, so that its fallback counts.
 */
const switched = (value: string): string => {
  const start = value.indexOf(lightDark);
  if (start < 0) return value;
  const first = start + lightDark.length;
  const { comma, end } = findEnd(value, first);
  const [light, dark] = [value.slice(first, comma), value.slice(comma + 1, end - 1)];
  return `${value.slice(0, start)}var(--_light,${light}) var(--_dark,${dark})${switched(value.slice(end))}`;
};

/** Without relative colors, white is on the accent, and text and borders in its color are mixed with black or white. */
const absolute: Record<string, string> = {
  '--_on-accent': 'var(--workspace-chat-on-accent, #fff)',
  '--_accent-text': 'color-mix(in oklab, var(--_accent), light-dark(#000, #fff) 35%)',
  '--_ring': 'color-mix(in oklab, var(--_accent), light-dark(#000, #fff) 35%)',
  '--_bubble-ring': 'color-mix(in oklab, var(--_visitor-bubble), light-dark(#000, #fff) 35%)',
};

/** Returns the styles that replace the colors of tokens. */
const olderColors = (tokens: CSSResult, hasRelativeColors: boolean): string => {
  const all = declarationsOf(tokens).map(
    ([name, value]) => [name, hasRelativeColors ? value : (absolute[name] ?? value)] as const,
  );
  const rules = all
    .filter(([, value]) => /light-dark|#fff\)$/.test(value))
    .map(([name, value]) => `${name}:${switched(value)}`);
  const dark = '{--_light: ;--_dark:initial}';
  // The type selector makes these rules win over those of sheets that are adopted later.
  return `:host(:not(html)){--_light:initial;--_dark: ;${rules.join(';')}}
    @media (prefers-color-scheme:dark){:host(:not(html,[color-scheme~=light]))${dark}}
    :host([color-scheme~=dark]:not(html))${dark}
    @supports not selector(:dir(rtl)){[dir=rtl] em{font-style:normal;font-weight:600}}`;
};

/** Adds the styles for tokens to a shadow root. */
export const adaptColors = (root: ShadowRoot, tokens: CSSResult): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(olderColors(tokens, CSS.supports('color', 'rgb(from red r g b)')));
  adopt(root, sheet);
};
