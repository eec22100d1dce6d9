/** The largest sizes in KiB (brotli) that `npm run check` accepts. The docs state the same numbers. */
export const budgets = {
  /** `embed.js`, the script tag. */
  embed: 2,
  launcher: 12,
  /** The launcher, the core, the panel and one language: what a first plain reply requests. */
  firstReply: 47,
  /** The same with all blocks. */
  everyBlock: 52,
  /** Everything in one file. */
  standalone: 83,
  webview: 80,
  /** A language beside English and Arabic. */
  locale: 2,
  /** The conversation without views and its dependencies. Not counted is what it loads on demand. */
  client: 16.1,
} as const;
