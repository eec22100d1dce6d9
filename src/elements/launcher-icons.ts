/** The icons of the launcher's stage. */
import { svg } from 'lit';

export const chatShape = svg`<path d="M4 5.5h16a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-8.5L7 20.5v-4H4a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1Z"/><path d="M8 9.5h8M8 12.5h5"/>`;
export const chevronShape = svg`<path d="m5 9 7 7 7-7"/>`;
