/** Computes the contrast of two colors in any syntax of the browser. */
import { contrast as contrastOf, type Rgb } from '../../../demo/studio/colors.ts';

/** Returns red, green and blue from 0 to 1. */
const channels = (color: string): Rgb => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d')!;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = Array.from(context.getImageData(0, 0, 1, 1).data, (channel) => channel / 255);
  return [red, green, blue];
};

/** Returns the ratio that WCAG defines, from 1 to 21. */
export const contrast = (one: string, other: string): number => contrastOf(channels(one), channels(other));
