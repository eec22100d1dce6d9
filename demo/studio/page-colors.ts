/** Finds the colors of a page in its CSS, by how often they are used, and proposes a theme. */
import { chroma, contrast, toHex, type Rgb } from './colors.ts';

export interface FoundColor {
  hex: string;
  rgb: Rgb;
  count: number;
  /** How many of them are backgrounds. */
  backgrounds: number;
}

export interface Proposal {
  accent?: string;
  surface?: string;
  text?: string;
}

/** Returns the channels of a color, or null for a text that is none, and for colors that are not opaque. */
export type ReadColor = (text: string) => Rgb | null;

const colorText =
  /#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([^()]*\)|(?<=[\s:,(])(?:white|black|[a-z]{3,20})\b(?!\s*[:(-])/gi;

/** Returns the colors of the CSS, the most frequent first. */
export const findColors = (css: string, read: ReadColor): FoundColor[] => {
  const found = new Map<string, FoundColor>();
  const plain = css.replaceAll(/\/\*[^]*?\*\/|url\([^)]*\)|"[^"]*"|'[^']*'/g, '');
  for (const [, property = '', value = ''] of plain.matchAll(/([\w-]+)\s*:\s*([^;{}]+)(?=[;}]|$)/g)) {
    if (/font|transition|animation|content|grid|display/.test(property)) continue;
    for (const [text] of ` ${value}`.matchAll(colorText)) {
      const rgb = read(text);
      if (!rgb) continue;
      const hex = toHex(rgb);
      const entry = found.get(hex) ?? { hex, rgb, count: 0, backgrounds: 0 };
      entry.count++;
      if (/background|surface|\bbg\b/.test(property)) entry.backgrounds++;
      found.set(hex, entry);
    }
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
};

/** A color with less chroma counts as gray. */
const grayLimit = 0.05;

/** Proposes the strongest frequent color as the accent, the most frequent pale or dark background, and a text that is readable on it. */
export const propose = (colors: readonly FoundColor[]): Proposal => {
  const strength = ({ rgb, count }: FoundColor): number => count * chroma(rgb);
  const [accent] = colors
    .filter(({ rgb }) => chroma(rgb) >= grayLimit)
    .sort((one, other) => strength(other) - strength(one));
  const grays = colors.filter(({ hex, rgb }) => chroma(rgb) < grayLimit && hex !== accent?.hex);
  const surface = grays.toSorted((one, other) => other.backgrounds - one.backgrounds)[0];
  const text = surface && colors.find(({ rgb }) => rgb !== accent?.rgb && contrast(rgb, surface.rgb) >= 7);
  return {
    ...(accent && { accent: accent.hex }),
    ...(surface && { surface: surface.hex }),
    ...(text && { text: text.hex }),
  };
};
