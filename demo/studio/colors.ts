/** Measures contrast, and finds the nearest color that has enough of it. Colors are red, green and blue from 0 to 1. */

export type Rgb = readonly [red: number, green: number, blue: number];

/** OKLab: the lightness that people perceive, and two axes of hue. */
type Lab = readonly [lightness: number, a: number, b: number];

const toLinear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

const fromLinear = (channel: number): number =>
  channel <= 0.0031308 ? 12.92 * channel : 1.055 * channel ** (1 / 2.4) - 0.055;

export const luminance = (color: Rgb): number => {
  const [red, green, blue] = color.map(toLinear) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Returns the contrast ratio of WCAG, from 1 to 21. */
export const contrast = (one: Rgb, other: Rgb): number => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};

const toLab = (color: Rgb): Lab => {
  const [red, green, blue] = color.map(toLinear) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
};

const fromLab = ([lightness, a, b]: Lab): Rgb => {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return channels.map((channel) => Math.min(1, Math.max(0, fromLinear(Math.max(0, channel))))) as unknown as Rgb;
};

/** Returns the strength of the color in OKLab: 0 for grays. */
export const chroma = (color: Rgb): number => Math.hypot(...toLab(color).slice(1));

export const toHex = (color: Rgb): string =>
  `#${color
    .map((channel) =>
      Math.round(channel * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

export const fromHex = (hex: string): Rgb =>
  [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255) as unknown as Rgb;

/** Steps of lightness in which a passing color is searched. */
const steps = 400;

/**
 * Returns the color nearest to `color` with a contrast of `required` to `back`: of the same hue, and only as much lighter or
 * darker as necessary. Black or white if nothing else passes.
 */
export const nearestPassing = (color: Rgb, back: Rgb, required: number): Rgb => {
  const [lightness, a, b] = toLab(color);
  for (let step = 0; step <= steps; step++) {
    for (const target of [lightness - step / steps, lightness + step / steps]) {
      if (target < 0 || target > 1) continue;
      // Rounded as it is written, so that the written color passes too.
      const found = fromHex(toHex(step === 0 ? color : fromLab([target, a, b])));
      if (contrast(found, back) >= required) return found;
    }
  }
  const [black, white]: Rgb[] = [
    [0, 0, 0],
    [1, 1, 1],
  ];
  return contrast(black!, back) > contrast(white!, back) ? black! : white!;
};
