import { expect } from '@open-wc/testing';
import { mount, unmountAll } from '../support/pages/element.ts';

/** Returns red, green, blue and opacity from 0 to 1, whatever the browser's color syntax. */
const channels = (colour: string): number[] => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d')!;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return Array.from(context.getImageData(0, 0, 1, 1).data, (channel) => channel / 255);
};

const luminance = (colour: string): number => {
  const [red, green, blue] = channels(colour).map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};

const contrast = (one: string, other: string): number => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
};

/** Accents of all hues, from nearly black to nearly white. */
const accents = [
  ...[0.08, 0.3, 0.5, 0.62, 0.75, 0.95].flatMap((lightness) =>
    Array.from({ length: 12 }, (_, hue) => `oklch(${lightness} 0.2 ${hue * 30})`),
  ),
  '#ff0000',
  '#00ff00',
  '#0000ff',
  '#ffff00',
  '#00ffff',
  '#ff00ff',
  '#000000',
  '#ffffff',
  '#808080',
];

const pairs = [
  ['--_on-accent', '--_accent', 4.5],
  ['--_on-visitor-bubble', '--_visitor-bubble', 4.5],
  ['--_on-agent-bubble', '--_agent-bubble', 4.5],
  ['--_accent-text', '--_surface', 4.5],
  ['--_accent-text', '--_agent-bubble', 4.5],
  ['--_muted', '--_surface', 4.5],
  ['--_muted', '--_surface-raised', 4.5],
  ['--_danger', '--_surface', 4.5],
  ['--_success', '--_surface', 4.5],
  ['--_warning', '--_surface', 4.5],
  ['--_outline', '--_surface', 3],
] as const;

describe('A theme with one accent', () => {
  afterEach(unmountAll);

  for (const scheme of ['light', 'dark']) {
    it(`is readable for every accent in the ${scheme} scheme`, async () => {
      const { element } = await mount([], { 'color-scheme': scheme });
      const probe = document.createElement('span');
      element.shadowRoot!.append(probe);
      const colour = (name: string) => {
        probe.style.color = `var(${name})`;
        return getComputedStyle(probe).color;
      };
      const failures = accents.flatMap((accent) => {
        element.style.setProperty('--workspace-chat-accent', accent);
        return pairs.flatMap(([front, back, wanted]) => {
          const ratio = contrast(colour(front), colour(back));
          return ratio < wanted ? [`${accent}: ${front} on ${back} ${ratio.toFixed(2)}`] : [];
        });
      });
      expect(failures).to.deep.equal([]);
    });
  }
});
