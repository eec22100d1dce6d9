/** The e-mail of each kind of notice, in English and in Arabic, because the service does not know the language of a member. */
import { escapeHtml } from '../core/escape-html.ts';
import type { Language } from '../core/language.ts';
import type { Role } from '../core/roles.ts';
import type { notices, NoticeDetail, NoticeKind } from '../db/schema.ts';
import type { Email } from './email.ts';

type Texts = Record<Language, { subject: string; text: string }>;

const roles: Record<Role, Record<Language, string>> = {
  owner: { en: 'owner', ar: 'المالك' },
  admin: { en: 'admin', ar: 'مشرف' },
  editor: { en: 'editor', ar: 'محرر' },
  agent: { en: 'agent', ar: 'موظف خدمة' },
  viewer: { en: 'viewer', ar: 'اطّلاع فقط' },
};

const textsOf: { [Kind in NoticeKind]: (detail: NoticeDetail[Kind], workspace: string) => Texts } = {
  member_invited: ({ role }, workspace) => ({
    en: {
      subject: `You are in the team of ${workspace}`,
      text: `${workspace} has added you to its team. Your role: ${roles[role].en}.`,
    },
    ar: {
      subject: `دعوة إلى فريق ${workspace}`,
      text: `تمت إضافة هذا العنوان إلى فريق ${workspace}. الدور: ${roles[role].ar}.`,
    },
  }),
  webhook_disabled: ({ url }, workspace) => ({
    en: {
      subject: `A webhook of ${workspace} was disabled`,
      text: `No event could be delivered to ${url} many times in a row, so the webhook was disabled. Repair its receiver, then enable it again.`,
    },
    ar: {
      subject: `إيقاف عنوان استقبال في ${workspace}`,
      text: `تعذّر تسليم أحداث متتالية كثيرة إلى ${url}، فتم إيقاف إرسال الأحداث إليه. يُرجى إصلاح نظام الاستقبال ثم تفعيل العنوان من جديد.`,
    },
  }),
  quota_reached: ({ percent, used, total }, workspace) => ({
    en: {
      subject: `${workspace} has used ${percent}% of its conversations of this month`,
      text:
        `${used} of ${total} conversations of this month are used.` +
        (percent >= 100 ? ' New conversations get no reply until the month ends or more are bought.' : ''),
    },
    ar: {
      subject: `استهلك ${workspace} نسبة ${percent}% من محادثات هذا الشهر`,
      text:
        `المحادثات المستهلكة هذا الشهر: ${used} من ${total}.` +
        (percent >= 100 ? ' لن تحصل المحادثات الجديدة على رد حتى نهاية الشهر أو شراء محادثات إضافية.' : ''),
    },
  }),
};

const links: Record<Language, string> = { en: 'The team page', ar: 'صفحة الفريق' };

export const emailOf = (
  { id, kind, recipient, detail }: Pick<typeof notices.$inferSelect, 'id' | 'kind' | 'recipient' | 'detail'>,
  workspace: string,
  teamUrl: string | undefined,
): Email => {
  const { en, ar } = textsOf[kind](detail as never, workspace);
  const link = (language: Language) => (teamUrl === undefined ? '' : `\n${links[language]}: ${teamUrl}`);
  const [english, arabic] = [`${en.text}${link('en')}`, `${ar.text}${link('ar')}`];
  return {
    id,
    to: recipient,
    subject: oneLine(`${en.subject} | ${ar.subject}`),
    text: `${english}\n\n${arabic}\n`,
    html: `<div dir="ltr" lang="en">${htmlOf(english)}</div>\n<div dir="rtl" lang="ar">${htmlOf(arabic)}</div>\n`,
  };
};

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const htmlOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join('');
