/** Measures the contrast of the previewed widgets, and computes the values that correct it. */
import { contrast, nearestPassing, toHex, type Rgb } from './colors.ts';
import { fromSchemes, schemesOf, type Theme } from './theme-text.ts';

export interface Pair {
  label: string;
  /** The widget's internal names of the two colors. */
  front: string;
  back: string;
  /** The ratio that WCAG 1.4.3 or 1.4.11 requires. */
  required: number;
  /** The custom property that a correction changes. A derived color cannot be set, so its background changes. */
  token: string;
}

const pair = (label: string, front: string, back: string, token = front, required = 4.5): Pair => ({
  label,
  front: `--_${front}`,
  back: `--_${back}`,
  required,
  token,
});

export const pairs: readonly Pair[] = [
  pair('Text', 'text', 'surface'),
  pair('Secondary text', 'muted', 'surface'),
  pair('Links', 'accent-text', 'surface', 'surface'),
  pair('Header', 'on-header', 'header'),
  pair('Button', 'on-accent', 'accent'),
  pair('Visitor’s text', 'on-visitor-bubble', 'visitor-bubble'),
  pair('Agent’s text', 'on-agent-bubble', 'agent-bubble'),
  pair('Agent’s links', 'accent-text', 'agent-bubble', 'agent-bubble'),
  pair('Information', 'info', 'surface'),
  pair('Success', 'success', 'surface'),
  pair('Warning', 'warning', 'surface'),
  pair('Error', 'danger', 'surface'),
  pair('Outlines', 'outline', 'surface', 'surface', 3),
];

export const schemes = ['light', 'dark'] as const;

/**
 * Returns red, green and blue of any CSS color.
 * @param back What shines through a color that is not opaque.
 */
export const channels = (color: string, back = 'transparent'): Rgb => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d')!;
  for (const each of [back, color]) {
    context.fillStyle = each;
    context.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red / 255, green / 255, blue / 255];
};

/** Reads a custom property of the widget as it is rendered in a scheme. */
export type ReadProperty = (name: string) => Rgb;

/** Returns a reader for the previewed widget of a scheme, or null before one exists. */
export const readerOf = (page: Document | null, scheme: string): { read: ReadProperty; close(): void } | null => {
  const root = page?.querySelector(`[color-scheme=${scheme}]`)?.shadowRoot;
  if (!root) return null;
  const probe = document.createElement('span');
  root.append(probe);
  const colorOf = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  return {
    read: (name) => channels(colorOf(name), colorOf('--_surface')),
    close: () => probe.remove(),
  };
};

export interface Measured {
  ratio: number;
  /** The color of the pair's token that would pass, or null when the pair passes. */
  correction: string | null;
}

export const measure = ({ front, back, required, token }: Pair, read: ReadProperty): Measured => {
  const [one, other] = [read(front), read(back)];
  const ratio = contrast(one, other);
  if (ratio >= required) return { ratio, correction: null };
  const changed = front === `--_${token}` ? nearestPassing(one, other, required) : nearestPassing(other, one, required);
  return { ratio, correction: toHex(changed) };
};

/** Returns the theme with another color in one scheme. The color of the other scheme stays as it is rendered. */
export const withColor = (theme: Theme, token: string, scheme: number, hex: string, rendered: string[]): Theme => {
  const values = theme.has(token) ? schemesOf(theme.get(token)!) : rendered;
  const [light = hex, dark = hex] = values.map((value, index) => (index === scheme ? hex : value));
  return new Map([...theme, [token, fromSchemes(light, dark)]]);
};
