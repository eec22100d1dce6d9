/**
 * The extras of the panel, which a chat can be without, each loaded when the page wants it. `bundled-chat-extras.ts` replaces
 * this file in a build of one script.
 */
import { lazyFile } from '../chat/lazy-file.ts';
import type { LateRenderers } from '../markdown/late-renderers.ts';

/** Formulas, and the colors of code: loaded with the first one. The dialog of a table: loaded when it is opened. */
const lateRenderers: LateRenderers = {
  math: lazyFile(async () => (await import('../markdown/math-view.ts')).renderMath),
  codeColors: lazyFile(async () => (await import('../markdown/code-colors.ts')).colorCode),
  wholeTable: lazyFile(async () => (await import('../elements/table-dialog.ts')).showWholeTable),
};

export const chatExtras = {
  /** The names of characters that replies hardly ever contain. */
  entities: lazyFile(async () => (await import('character-entities')).characterEntities),
  ...lateRenderers,
  /** Says when the team is back. */
  teamHours: lazyFile(async () => (await import('../locale/team-hours.ts')).teamReturn),
  /** Adds the buttons for dictation and reading aloud to a panel. */
  speech: lazyFile(async () => (await import('../elements/speech.ts')).addSpeech),
  /** Adds the thumbs below replies to a panel. */
  feedback: lazyFile(async () => (await import('../elements/feedback.ts')).addFeedback),
  /** Adds the question how the conversation was to a panel. */
  rating: lazyFile(async () => (await import('../elements/rating.ts')).addRating),
  /** Adds the offer of a notice for a hidden page to a panel. */
  notify: lazyFile(async () => (await import('../elements/notify.ts')).addNotify),
  /** Adds the transcript by e-mail to a panel. */
  mail: lazyFile(async () => (await import('../elements/mail.ts')).addMail),
  /** Adds the past conversations to a panel. */
  history: lazyFile(async () => (await import('../elements/history.ts')).addHistory),
};
