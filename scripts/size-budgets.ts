/** The largest sizes in KiB (brotli) that `npm run check` accepts. The docs state the same numbers. */
export const budgets = {
  /** `embed.js`, the script tag. */
  embed: 2,
  /** What a page downloads besides the script tag before anything is prefetched. */
  launcher: 17,
  /** Everything from the script tag until the visitor can type, in English, as a browser requests it. */
  usable: 83,
  /** The same through a first conversation, whose reply has code: its colors are an extra. */
  conversation: 92.25,
  /** Everything in one file. */
  standalone: 115.5,
  webview: 118.5,
  /** What the texts in Arabic take more than those in English. */
  arabic: 0.6,
  /** A language beside English and Arabic. */
  locale: 2.8,
  /** The conversation without views and its dependencies. */
  client: 21.25,
} as const;

/** The number of files through a first conversation. */
export const maxFiles = 5;

/** The files that a chat can be without, in KiB. */
export const extraBudgets: Readonly<Record<string, number>> = {
  'character-entities': 10,
  'code-colors': 10,
  doctor: 9.25,
  feedback: 1,
  history: 1.5,
  'inert-chat': 0.5,
  mail: 1,
  'math-view': 52,
  notify: 1,
  'older-browsers': 0.75,
  rating: 1,
  sheet: 0.75,
  shortcut: 1,
  speech: 1.25,
  'table-dialog': 1,
  'team-hours': 1.25,
  teaser: 3.25,
  'web-mcp': 7,
};
