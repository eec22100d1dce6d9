/** The widget's icons: 24 units square, stroked in the text color, hidden from screen readers. */
import { svg, html } from 'lit';
import { chevronShape } from './launcher-icons.ts';

export const icon = (shape: unknown, isDirected = false) =>
  html`<svg class=${isDirected ? 'directed' : ''} viewBox="0 0 24 24" aria-hidden="true">${shape}</svg>`;

export const chevronIcon = icon(chevronShape);
export const menuIcon = icon(svg`<path d="M12 5.5v.01M12 12v.01M12 18.5v.01" stroke-width="3.5"/>`);
export const sendIcon = icon(svg`<path d="M5 12h13M12.5 6l6 6-6 6"/>`, true);
export const stopIcon = icon(svg`<rect x="7" y="7" width="10" height="10" rx="1.5" fill="currentcolor"/>`);
