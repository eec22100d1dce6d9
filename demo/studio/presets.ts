/** Themes to begin with: some of one color, and the brands of the gallery. */
import brandsCss from '../brands.css?raw';
import { parseTheme, type Supports, type Theme } from './theme-text.ts';

export interface Preset {
  name: string;
  theme: Theme;
}

const simple: readonly [name: string, css: string][] = [
  ['Clay', '--workspace-chat-accent: #a4472b'],
  ['Forest', '--workspace-chat-accent: #0b6e4f; --workspace-chat-radius: 0.5em'],
  [
    'Sunflower',
    '--workspace-chat-accent: #f2b705; --workspace-chat-header: #f2b705; --workspace-chat-on-header: #1a1c22',
  ],
];

/** Returns the custom properties of each brand. Their parts and their `color-scheme` are not part of a theme. */
const brands = (): [name: string, css: string][] =>
  [...brandsCss.matchAll(/^\.brand-(\w+) \{([^}]*)\}/gm)].map(([, name = '', css = '']) => [
    `${name[0]!.toUpperCase()}${name.slice(1)}`,
    css,
  ]);

export const presets = (supports: Supports): Preset[] =>
  [...simple, ...brands()].map(([name, css]) => ({ name, theme: parseTheme(`${css};`, supports).theme }));
