/** The strings of the launcher in both languages, needed before a language is loaded. */
import type { CountedText } from './counted-text.ts';

export interface LauncherStrings {
  openChat: string;
  closeChat: string;
  /** The accessible text of the badge. */
  unread: CountedText<number>;
  /** Shown when loading the chat takes a moment. */
  opening: string;
  /** A file of the chat could not be loaded. */
  chunkFailed: string;
  /** The button that loads the chat again. */
  tryAgain: string;
  /** Shown in place of a chat whose configuration is wrong. */
  notAvailable: string;
  /** The name of the button that hides the teaser. */
  dismiss: string;
}

export const launcherStrings: Record<'en' | 'ar', LauncherStrings> = {
  en: {
    openChat: 'Open chat',
    closeChat: 'Close chat',
    unread: { one: '# new message', other: '# new messages' },
    opening: 'Opening the chat…',
    chunkFailed: 'The chat could not be loaded.',
    tryAgain: 'Try again',
    notAvailable: 'The chat is not available on this page right now.',
    dismiss: 'Dismiss',
  },
  ar: {
    openChat: 'فتح المحادثة',
    closeChat: 'إغلاق المحادثة',
    unread: {
      one: 'رسالة جديدة واحدة',
      two: 'رسالتان جديدتان',
      few: '# رسائل جديدة',
      other: '# رسالة جديدة',
    },
    opening: 'جارٍ فتح المحادثة…',
    chunkFailed: 'تعذّر تحميل المحادثة.',
    tryAgain: 'إعادة المحاولة',
    notAvailable: 'المحادثة غير متاحة في هذه الصفحة حاليًا.',
    dismiss: 'إخفاء',
  },
};
