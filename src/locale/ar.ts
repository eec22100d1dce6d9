/** The Arabic strings. */
import { launcherStrings } from './launcher-strings.ts';
import type { PanelStrings } from './strings.ts';

export const strings: PanelStrings = {
  ...launcherStrings.ar,

  heading: 'تحدّث معنا',
  greeting: 'أهلًا وسهلًا! كيف يمكننا مساعدتك اليوم؟',
  starters: [],
  notice: 'إجابات المساعد الآلي قد تتضمّن أخطاء.',
  privacyLabel: 'الخصوصية',
  privacyUrl: '',

  status: {
    ai_active: 'المساعد',
    handoff_requested: 'بانتظار انضمام أحد أعضاء الفريق',
    human_active: 'أحد أعضاء الفريق يردّ عليك',
    closed: 'انتهت المحادثة',
  },
  menu: 'القائمة',
  transcript: 'المحادثة',
  newMessages: 'رسائل جديدة',

  message: 'الرسالة',
  placeholder: 'اكتب رسالتك…',
  send: 'إرسال',
  stop: 'إيقاف',

  you: 'أنت',
  assistant: 'المساعد',
  person: 'الفريق',
  thinking: 'جارٍ التفكير…',
  sources: 'المصادر',

  chosen: 'اختيارك:',
  choose: 'اختيار',
  sent: 'تم الإرسال',
  select: 'اختر…',
  optional: '(اختياري)',
  fieldProblems: {
    required: 'يُرجى تعبئة هذا الحقل.',
    email: 'يُرجى كتابة بريد إلكتروني صحيح، مثل \u2068name@example.com\u2069.',
    phone: 'يُرجى كتابة رقم هاتف صحيح، مثل \u2066+968 9212 3456\u2069.',
    number: 'يُرجى كتابة رقم.',
    date: 'يُرجى كتابة التاريخ كاملًا.',
  },
  noSecrets: (labels) => `لم يُدرج في النموذج: ${labels}. لا تشارك كلمات المرور أو بيانات البطاقات في المحادثة أبدًا.`,
  availability: { in_stock: 'متوفر', out_of_stock: 'غير متوفر حاليًا', preorder: 'متاح للطلب المسبق' },
  updated: (when) => `آخر تحديث: ${when}`,
  details: 'التفاصيل',
  moreTimes: 'مواعيد أخرى',
  twoTimes: (zone) => `بتوقيتك المحلي أولًا، ثم ${zone}.`,

  code: { copy: 'نسخ', copied: 'تم النسخ', code: (language) => (language ? `شيفرة \u2068${language}\u2069` : 'شيفرة') },

  notConfirmed: 'لم نتأكد من وصولها',
  notSent: 'لم تُرسل',
  interrupted: 'انقطعت الإجابة قبل اكتمالها.',
};
