/** The page of an export: every stored value of a person as text, in English or Arabic, without scripts or other files. */
import { escapeHtml } from '../core/escape-html.ts';
import type { Language } from '../core/language.ts';
import type { PersonalSection } from './personal-data.ts';

export type ExportedRow = Record<string, unknown>;

export interface ExportedSection {
  section: PersonalSection;
  rows: ExportedRow[];
}

const headings: Record<PersonalSection, Record<Language, string>> = {
  contact: { en: 'Contact', ar: 'جهة الاتصال' },
  conversations: { en: 'Conversations', ar: 'المحادثات' },
  claims: { en: 'Unproven identities in other conversations', ar: 'هويات غير مثبتة في محادثات أخرى' },
  messages: { en: 'Messages', ar: 'الرسائل' },
  tickets: { en: 'Tickets', ar: 'التذاكر' },
  leads: { en: 'Leads', ar: 'العملاء المحتملون' },
  submissions: { en: 'Submitted forms', ar: 'النماذج المرسلة' },
  bookings: { en: 'Booked times', ar: 'المواعيد المحجوزة' },
  notes: { en: 'Notes about conversations', ar: 'ملاحظات عن المحادثات' },
  action_calls: { en: 'Calls of actions', ar: 'استدعاءات الإجراءات' },
  tool_calls: { en: 'Calls of tools', ar: 'استدعاءات الأدوات' },
  events: { en: 'Events for other systems', ar: 'أحداث مرسلة إلى أنظمة أخرى' },
  saved_responses: { en: 'Saved responses of calls', ar: 'استجابات محفوظة للطلبات' },
};

const texts = {
  title: { en: 'Stored data of a person', ar: 'البيانات المخزنة عن شخص' },
  made: { en: 'Exported on', ar: 'تاريخ التصدير:' },
  none: { en: 'Nothing is stored.', ar: 'لا توجد بيانات مخزنة.' },
};

export const exportPage = (sections: ExportedSection[], language: Language, at: Date): string => {
  const date = new Intl.DateTimeFormat(language === 'ar' ? 'ar-u-nu-latn' : 'en', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(at);
  const title = texts.title[language];
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
table { width: 100%; margin-block: 1rem; border-collapse: collapse; }
th, td { padding: 0.25rem 0.5rem; border: 1px solid #888; text-align: start; vertical-align: top; }
th { width: 12rem; font-weight: 600; }
td { overflow-wrap: anywhere; white-space: pre-wrap; }
</style>
</head>
<body>
<h1>${title}</h1>
<p>${texts.made[language]} ${escapeHtml(date)} (UTC)</p>
${sections.map((section) => sectionHtml(section, language)).join('\n')}
</body>
</html>
`;
};

const sectionHtml = ({ section, rows }: ExportedSection, language: Language): string => {
  const content = rows.length === 0 ? `<p>${texts.none[language]}</p>` : rows.map(rowHtml).join('\n');
  return `<section>\n<h2>${headings[section][language]} (${rows.length})</h2>\n${content}\n</section>`;
};

/** The names of the columns stay as they are, because they are those of the JSON files. */
const rowHtml = (row: ExportedRow): string => {
  const lines = Object.entries(row).filter(([, value]) => !isEmpty(value));
  const cells = lines.map(([name, value]) => {
    return `<tr><th dir="ltr">${escapeHtml(name)}</th><td dir="auto">${escapeHtml(textOf(value))}</td></tr>`;
  });
  return `<table>\n${cells.join('\n')}\n</table>`;
};

const isEmpty = (value: unknown): boolean => value === null || value === '';

const textOf = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
};
