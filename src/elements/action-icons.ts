/** The icons of a message's actions, of its problems, and of the button that leads to the end. Loaded soon after the panel. */
import { svg } from 'lit';
import { icon } from './icons.ts';

export const thumbIcon = icon(
  svg`<path d="M7 11v9H4v-9zM7 11l4-7c1.5 0 2.5 1.2 2.2 2.7L12.6 10H18a2 2 0 0 1 2 2.4l-1.2 6A2 2 0 0 1 16.8 20H7"/>`,
);
export const downIcon = icon(svg`<path d="M12 5v14M6 13l6 6 6-6"/>`);
export const problemIcon = icon(svg`<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.5v.01"/>`);
