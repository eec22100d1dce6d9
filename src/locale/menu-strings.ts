/** The strings of the menu, in both languages. Loaded with it. */
import type { MenuStrings } from './strings.ts';

export const menuStrings: Record<'en' | 'ar', MenuStrings> = {
  en: {
    newConversation: 'New conversation',
    download: 'Download this conversation',
    sound: 'Sound for new messages',
    expand: 'Make this window wider',
    reduce: 'Make this window narrower',
  },
  ar: {
    newConversation: 'محادثة جديدة',
    download: 'تنزيل هذه المحادثة',
    sound: 'صوت عند وصول رسالة',
    expand: 'توسيع النافذة',
    reduce: 'تضييق النافذة',
  },
};
