/** The strings of the launcher in both languages, needed before a language is loaded. */
export interface LauncherStrings {
  openChat: string;
  closeChat: string;
  /** The accessible text of the badge. */
  unread: (count: number) => string;
  /** A chunk could not be loaded. */
  chunkFailed: string;
}

const arabicMessages: Partial<Record<Intl.LDMLPluralRule, string>> = {
  zero: 'لا رسائل جديدة',
  one: 'رسالة جديدة واحدة',
  two: 'رسالتان جديدتان',
  few: '# رسائل جديدة',
};

export const launcherStrings: Record<'en' | 'ar', LauncherStrings> = {
  en: {
    openChat: 'Open chat',
    closeChat: 'Close chat',
    unread: (count) => (count === 1 ? '1 new message' : `${count} new messages`),
    chunkFailed: 'The chat could not be loaded. Check your connection and try again.',
  },
  ar: {
    openChat: 'فتح المحادثة',
    closeChat: 'إغلاق المحادثة',
    unread: (count) =>
      (arabicMessages[new Intl.PluralRules('ar').select(count)] ?? '# رسالة جديدة').replace('#', `${count}`),
    chunkFailed: 'تعذّر تحميل المحادثة. تحقق من اتصالك ثم أعد المحاولة.',
  },
};
