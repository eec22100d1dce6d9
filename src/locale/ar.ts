/** The Arabic strings. */
import { launcherStrings } from './launcher-strings.ts';
import type { Strings } from './strings.ts';

const arabicUnits: Partial<Record<Intl.LDMLPluralRule, string>> = {
  one: 'حرف واحد',
  two: 'حرفين',
  few: '# أحرف',
  many: '# حرفًا',
};

/** Returns a number of characters as words after a preposition. */
const arabicCharacters = (formatted: string, count: number): string =>
  (arabicUnits[new Intl.PluralRules('ar').select(count)] ?? '# حرف').replace('#', formatted);

// Isolated, because a title may be in the other language.
const quoted = (title: string) => `«\u2068${title}\u2069»`;

export const strings: Strings = {
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

  notices: {
    restarted: 'انتهت المحادثة السابقة، وهذه محادثة جديدة.',
    handoff: 'بانتظار انضمام أحد أعضاء الفريق. يواصل المساعد الإجابة حتى ذلك الحين.',
    joined: 'انضم أحد أعضاء الفريق إلى المحادثة.',
    returned: 'عاد المساعد للإجابة.',
    closed: 'انتهت هذه المحادثة.',
    unlinked: 'ستبدأ الرسالة التالية محادثة جديدة.',
  },
  blockNames: {
    form: { one: 'نموذج من خانة واحدة', two: 'نموذج من خانتين', few: 'نموذج من # خانات', other: 'نموذج من # خانة' },
    options: { one: 'خيار واحد', two: 'خياران', few: '# خيارات', many: '# خيارًا', other: '# خيار' },
    open_times: { one: 'موعد واحد', two: 'موعدان', few: '# مواعيد', many: '# موعدًا', other: '# موعد' },
    products: { one: 'منتج واحد', two: 'منتجان', few: '# منتجات', many: '# منتجًا', other: '# منتج' },
    links: { one: 'رابط واحد', two: 'رابطان', few: '# روابط', many: '# رابطًا', other: '# رابط' },
  },
  tooLong: (excess, count) =>
    `الرسالة أطول من الحد المسموح بمقدار ${arabicCharacters(excess, count)}. اختصرها أو أرسلها على أجزاء.`,
  sendAgain: 'إعادة الإرسال',
  edit: 'تعديل',
  askAgain: 'إعادة السؤال',
  startAgain: 'بدء محادثة جديدة',
  stopped: 'تم الإيقاف',
  offline: 'أنت غير متصل بالإنترنت',
  feedback: { up: 'رد مفيد', down: 'رد غير مفيد', comment: 'أخبرنا بالمزيد (اختياري)' },
  replying: 'جارٍ الرد…',
  conversationErased: 'محادثة جديدة',
  refused: 'لا يستطيع المساعد الإجابة عن هذا الموضوع',
  limit: 'بلغ المساعد الحد الشهري من المحادثات.',
  degraded: 'تعذّر الرجوع إلى بعض المصادر في هذه الإجابة.',
  replyingInOtherTab: 'جارٍ الرد في علامة تبويب أخرى…',
  stillWorking: 'ما زال المساعد يُعدّ الإجابة…',
  memoryOnly: 'متصفحك لا يحفظ هذه المحادثة، وستختفي عند مغادرة هذه الصفحة.',
  waiting: {
    rate_limited: (seconds) => `ترسل رسائل بسرعة كبيرة. ستُرسل هذه الرسالة بعد ${seconds}.`,
    unavailable: (seconds) => `الخدمة مشغولة. سنعيد المحاولة بعد ${seconds}.`,
    offline: () => 'أنت غير متصل بالإنترنت. ستُرسل رسالتك فور عودة الاتصال.',
    other_tab: () => 'جارٍ الرد في علامة تبويب أخرى، ورسالتك هي التالية.',
    previous: () => 'نُكمل الإجابة السابقة أولًا…',
    retrying: (seconds) => `لم يصلنا رد بعد. سنعيد المحاولة بعد ${seconds}.`,
  },
  problems: {
    network: 'تعذّر الاتصال.',
    unexpected_response: 'جاء الرد من خادم آخر (صفحة دخول \u2068Wi‑Fi\u2069 أو جدار حماية؟).',
    interrupted: 'انقطع الاتصال قبل اكتمال الإجابة.',
    timeout: 'استغرقت الإجابة وقتًا أطول من المعتاد.',
    response_too_large: 'الإجابة أطول من أن تُعرض هنا.',
    not_authorised: 'المحادثة غير متاحة على هذه الصفحة حاليًا.',
    agent_unavailable: 'المساعد متوقف مؤقتًا. رسالتك محفوظة هنا.',
    not_found: 'المحادثة غير متاحة على هذه الصفحة حاليًا.',
    message_refused: 'لم تُقبل الرسالة. عدّلها ثم أعد إرسالها.',
    too_large: 'الرسالة طويلة جدًا. اختصرها ثم أعد إرسالها.',
    rate_limited: 'ترسل رسائل بسرعة كبيرة. أعد إرسال رسالتك بعد بضع دقائق.',
    unavailable: 'الخدمة غير متاحة حاليًا. أعد إرسال رسالتك بعد بضع دقائق.',
    identity_rejected: 'لم نتمكن من التحقق من هويتك. سجّل الدخول من جديد ثم أعد إرسال رسالتك.',
    internal_error: 'حدث خطأ من جانبنا.',
    unknown: 'حدث خطأ ما.',
  },

  tools: {
    asked: (title) => `يطلب استخدام ${quoted(title)}`,
    running: (title) => `يستخدم ${quoted(title)}…`,
    answered: (title) => `استخدم ${quoted(title)}`,
    failed: (title) => `لم ينجح استخدام ${quoted(title)}`,
    refused: (title) => `لم يُسمح باستخدام ${quoted(title)}`,
  },
  toolQuestion: (title) => `هل تسمح للمساعد باستخدام ${quoted(title)} في هذه الصفحة؟`,
  untitledTool: 'إحدى ميزات هذه الصفحة',
  timeLeft: (time) => `الوقت المتبقي: ${time}`,
  questionTimedOut: 'انتهت مهلة السؤال.',
  allow: 'سماح',
  refuse: 'عدم السماح',

  newConversation: 'محادثة جديدة',
  download: 'تنزيل هذه المحادثة',
  sound: 'صوت عند وصول رسالة',
  expand: 'توسيع النافذة',
  reduce: 'تضييق النافذة',

  dictate: 'إملاء',
  readAloud: 'قراءة بصوت مسموع',
};
