/** The widget's icons: 24 units square, stroked in the text color, hidden from screen readers. */
import { html, type TemplateResult } from 'lit';
import { chevronPath } from './launcher-icons.ts';

/**
 * Returns an icon. All of them share a template, because the browser parses each template before its first use.
 * @param path The data of an SVG path.
 * @param kind `directed` icons point in the writing direction. The lines of `dotted` ones are thick, `solid` ones are filled.
 */
export const icon = (path: string, kind: '' | 'directed' | 'dotted' | 'solid' = ''): TemplateResult =>
  html`<svg class=${kind} viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;

export const chevronIcon = icon(chevronPath);
export const nextIcon = icon('m9 5 7 7-7 7', 'directed');
export const menuIcon = icon('M12 5.5v.01M12 12v.01M12 18.5v.01', 'dotted');
export const sendIcon = icon('M5 12h13M12.5 6l6 6-6 6', 'directed');
/** The joins of its lines round the corners. */
export const stopIcon = icon('M8 8h8v8H8z', 'solid');
