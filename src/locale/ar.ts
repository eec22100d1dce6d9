/** The Arabic strings. */
import { launcherStrings } from './launcher-strings.ts';
import type { PanelStrings } from './strings.ts';

export const strings: PanelStrings = {
  ...launcherStrings.ar,

  heading: 'تحدّث معنا',
  greeting: 'أهلًا وسهلًا! كيف يمكننا مساعدتك اليوم؟',
  starters: [],
  notice: 'الإجابات يكتبها مساعد آلي وقد تحتوي على أخطاء.',
  privacyLabel: 'الخصوصية',
  privacyUrl: '',

  status: {
    ai_active: 'المساعد الآلي',
    handoff_requested: 'طلبنا من أحد الزملاء الانضمام',
    human_active: 'أحد أعضاء الفريق يجيبك',
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
  thinking: 'يفكّر…',
  sources: 'المصادر',

  chosen: 'اختيارك:',
  choose: 'اختيار',
  sent: 'أُرسل',
  select: 'اختر…',
  optional: '(اختياري)',
  fieldProblems: {
    required: 'هذا الحقل مطلوب.',
    email: 'اكتب بريدًا إلكترونيًا صحيحًا، مثل \u2068name@example.com\u2069',
    phone: 'اكتب رقم هاتف صحيحًا، مثل \u2066+968 9212 3456\u2069',
    number: 'اكتب رقمًا.',
    date: 'اكتب التاريخ كاملًا.',
  },
  noSecrets: (labels) => `حُذف من النموذج: ${labels}. لا تكتب كلمات المرور أو بيانات البطاقات في المحادثة أبدًا.`,
  availability: { in_stock: 'متوفر', out_of_stock: 'غير متوفر حاليًا', preorder: 'متاح للطلب المسبق' },
  updated: (when) => `آخر تحديث: ${when}`,
  details: 'التفاصيل',
  moreTimes: 'مواعيد أخرى',
  twoTimes: (zone) => `الوقت عندك أولًا، ثم حسب ${zone}.`,

  code: { copy: 'نسخ', copied: 'تم النسخ', code: (language) => (language ? `شيفرة \u2068${language}\u2069` : 'شيفرة') },

  notConfirmed: 'لم يتأكد الإرسال',
  notSent: 'لم تُرسل',
  interrupted: 'انقطعت الإجابة قبل أن تكتمل.',
};
