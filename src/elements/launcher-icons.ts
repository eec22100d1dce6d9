/** The icons of the launcher's stage, as the data of SVG paths. */

export const chatPath =
  'M4 5.5h16a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-8.5L7 20.5v-4H4a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1ZM8 9.5h8M8 12.5h5';
export const chevronPath = 'm5 9 7 7 7-7';
