/** The icons of ratings, of the problems of a message, and of the button that leads to the end. */
import { icon } from './icons.ts';

export const thumbIcon = icon(
  'M7 11v9H4v-9zM7 11l4-7c1.5 0 2.5 1.2 2.2 2.7L12.6 10H18a2 2 0 0 1 2 2.4l-1.2 6A2 2 0 0 1 16.8 20H7',
);
export const downIcon = icon('M12 5v14M6 13l6 6 6-6');
export const problemIcon = icon('M21 12a9 9 0 1 1-18 0a9 9 0 0 1 18 0ZM12 7.5v5.5M12 16.5v.01');
