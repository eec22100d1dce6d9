/** Finds the colours of a page in its CSS, by how often they are used, and proposes a theme. */
import { chroma, contrast, toHex, type Rgb } from './colours.ts';

export interface FoundColour {
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

/** Returns the channels of a colour, or null for a text that is none, and for colours that are not opaque. */
export type ReadColour = (text: string) => Rgb | null;

const colourText =
  /#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([^()]*\)|(?<=[\s:,(])(?:white|black|[a-z]{3,20})\b(?!\s*[:(-])/gi;

/** Returns the colours of the CSS, the most frequent first. */
export const findColours = (css: string, read: ReadColour): FoundColour[] => {
  const found = new Map<string, FoundColour>();
  const plain = css.replaceAll(/\/\*[^]*?\*\/|url\([^)]*\)|"[^"]*"|'[^']*'/g, '');
  for (const [, property = '', value = ''] of plain.matchAll(/([\w-]+)\s*:\s*([^;{}]+)(?=[;}]|$)/g)) {
    if (/font|transition|animation|content|grid|display/.test(property)) continue;
    for (const [text] of ` ${value}`.matchAll(colourText)) {
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

/** A colour with less chroma counts as grey. */
const greyLimit = 0.05;

/** Proposes the strongest frequent colour as the accent, the most frequent pale or dark background, and a text that is readable on it. */
export const propose = (colours: readonly FoundColour[]): Proposal => {
  const strength = ({ rgb, count }: FoundColour): number => count * chroma(rgb);
  const [accent] = colours
    .filter(({ rgb }) => chroma(rgb) >= greyLimit)
    .sort((one, other) => strength(other) - strength(one));
  const greys = colours.filter(({ hex, rgb }) => chroma(rgb) < greyLimit && hex !== accent?.hex);
  const surface = greys.toSorted((one, other) => other.backgrounds - one.backgrounds)[0];
  const text = surface && colours.find(({ rgb }) => rgb !== accent?.rgb && contrast(rgb, surface.rgb) >= 7);
  return {
    ...(accent && { accent: accent.hex }),
    ...(surface && { surface: surface.hex }),
    ...(text && { text: text.hex }),
  };
};
