/** The strings of the launcher in both languages, needed before a language is loaded. */
import type { CountedText } from './counted-text.ts';

export interface LauncherStrings {
  openChat: string;
  closeChat: string;
  /** The accessible text of the badge. */
  unread: CountedText<number>;
  /** A chunk could not be loaded. */
  chunkFailed: string;
}

export const launcherStrings: Record<'en' | 'ar', LauncherStrings> = {
  en: {
    openChat: 'Open chat',
    closeChat: 'Close chat',
    unread: { one: '# new message', other: '# new messages' },
    chunkFailed: 'The chat could not be loaded. Check your connection and try again.',
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
    chunkFailed: 'تعذّر تحميل المحادثة. تحقق من اتصالك ثم أعد المحاولة.',
  },
};
