/** The Arabic strings. */
import { launcherStrings } from './launcher-strings.ts';
import type { Strings } from './strings.ts';

/** @param characters Their number after a preposition. */
const tooLong = (characters: string): string =>
  `الرسالة أطول من الحد المسموح بمقدار ${characters}. يُرجى اختصارها أو إرسالها على أجزاء.`;

/** Returns a time as it is written after a preposition: بعد ثانيتين. `Intl` has only the forms of a subject. */
const afterPreposition = (time: string): string => time.replace(/تان$/, 'تين').replace(/ثوان$/, 'ثوانٍ');

// Isolated, because a title may be in the other language.
const quoted = (title: string) => `«\u2068${title}\u2069»`;

export const strings: Strings = {
  ...launcherStrings.ar,

  heading: 'تحدّث معنا',
  greeting: 'أهلًا وسهلًا! كيف يمكننا مساعدتك اليوم؟',
  starters: [],
  notice: 'ردود المساعد الآلي قد تتضمّن أخطاء.',
  privacyLabel: 'الخصوصية',
  privacyUrl: '',

  status: {
    ai_active: 'المساعد',
    handoff_requested: 'بانتظار انضمام أحد أعضاء الفريق',
    human_active: 'يردّ عليك أحد أعضاء الفريق',
    closed: 'انتهت المحادثة',
  },
  teamReturn: (day, time, isNear) => `يعود الفريق ${isNear ? '' : 'يوم '}${day} الساعة ${time}.`,
  menu: 'القائمة',
  transcript: 'المحادثة',
  newMessages: 'رسائل جديدة',

  message: 'الرسالة',
  placeholder: 'كتابة رسالة…',
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
  select: 'اختيار…',
  optional: '(اختياري)',
  fieldProblems: {
    required: 'يُرجى تعبئة هذا الحقل.',
    email: 'يُرجى كتابة بريد إلكتروني صحيح، مثل \u2068name@example.com\u2069.',
    phone: 'يُرجى كتابة رقم هاتف صحيح، مثل \u2066+968 9212 3456\u2069.',
    number: 'يُرجى كتابة رقم.',
    date: 'يُرجى كتابة التاريخ كاملًا.',
  },
  noSecrets: (labels) => `لم يُدرج في النموذج: ${labels}. يُرجى عدم مشاركة كلمات المرور أو بيانات البطاقات في المحادثة.`,
  availability: { in_stock: 'متوفر', out_of_stock: 'غير متوفر حاليًا', preorder: 'متاح للطلب المسبق' },
  updated: (when) => `آخر تحديث: ${when}`,
  details: 'التفاصيل',
  moreTimes: 'مواعيد أخرى',
  twoTimes: (zone) => `بتوقيتك المحلي أولًا، ثم ${zone}.`,

  code: {
    copy: 'نسخ',
    copied: 'تم النسخ',
    table: 'عرض الجدول كاملًا',
    close: 'إغلاق',
    code: (language) => (language ? `شيفرة \u2068${language}\u2069` : 'شيفرة'),
  },

  suggestions: 'اقتراحات',
  consent: { agree: 'أوافق', missing: 'لبدء المحادثة، يُرجى السماح بها في إعدادات الخصوصية لهذا الموقع.' },
  rating: { question: 'كيف كانت هذه المحادثة؟', good: 'جيدة', bad: 'سيئة', thanks: 'شكرًا على تقييمك.' },
  mail: {
    offer: 'إرسال بالبريد الإلكتروني',
    address: 'البريد الإلكتروني',
    sent: (address) => `أُرسلت المحادثة إلى \u2068${address}\u2069.`,
    refused: 'يمكن إرسالها إلى بريد حسابك فقط.',
    failed: 'تعذّر إرسال المحادثة. يُرجى المحاولة مرة أخرى لاحقًا.',
  },
  history: {
    title: 'المحادثات السابقة',
    back: 'رجوع',
    none: 'لا توجد محادثات سابقة.',
    failed: 'تعذّر تحميل المحادثات السابقة.',
  },
  notify: {
    offer: 'هل تريد إشعارًا عند وصول الرد؟',
    allow: 'إرسال إشعار',
    blocked: 'متصفحك لا يسمح بالإشعارات من هذا الموقع.',
    replied: (name) => `رد جديد من \u2068${name}\u2069`,
  },

  notConfirmed: 'وصول الرسالة غير مؤكد',
  notSent: 'لم تُرسل',
  interrupted: 'انقطع الرد قبل اكتماله.',

  notices: {
    restarted: 'انتهت المحادثة السابقة، وهذه محادثة جديدة.',
    handoff: 'بانتظار انضمام أحد أعضاء الفريق. يواصل المساعد الرد حتى ذلك الحين.',
    joined: 'انضم أحد أعضاء الفريق إلى المحادثة.',
    returned: 'عاد المساعد إلى الرد.',
    closed: 'انتهت هذه المحادثة.',
    unlinked: 'ستبدأ رسالتك التالية محادثة جديدة.',
  },
  blockNames: {
    form: { one: 'نموذج من خانة واحدة', two: 'نموذج من خانتين', few: 'نموذج من # خانات', other: 'نموذج من # خانة' },
    options: { one: 'خيار واحد', two: 'خياران', few: '# خيارات', many: '# خيارًا', other: '# خيار' },
    open_times: { one: 'موعد واحد', two: 'موعدان', few: '# مواعيد', many: '# موعدًا', other: '# موعد' },
    products: { one: 'منتج واحد', two: 'منتجان', few: '# منتجات', many: '# منتجًا', other: '# منتج' },
    links: { one: 'رابط واحد', two: 'رابطان', few: '# روابط', many: '# رابطًا', other: '# رابط' },
  },
  tooLong: {
    one: tooLong('حرف واحد'),
    two: tooLong('حرفين'),
    few: tooLong('# أحرف'),
    many: tooLong('# حرفًا'),
    other: tooLong('# حرف'),
  },
  sendAgain: 'إعادة الإرسال',
  edit: 'تعديل',
  askAgain: 'إعادة السؤال',
  startAgain: 'بدء محادثة جديدة',
  stopped: 'تم الإيقاف',
  offline: 'لا يوجد اتصال بالإنترنت',
  feedback: { up: 'مفيد', down: 'غير مفيد', comment: 'تفاصيل أكثر (اختياري)' },
  replying: 'جارٍ الرد…',
  conversationErased: 'محادثة جديدة',
  refused: 'لا يستطيع المساعد الرد على هذا الموضوع',
  limit: 'بلغ المساعد الحد الشهري من المحادثات.',
  degraded: 'تعذّر الرجوع إلى بعض المصادر في هذا الرد.',
  replyingInOtherTab: 'جارٍ الرد في علامة تبويب أخرى…',
  stillWorking: 'ما زال المساعد يُعدّ الرد…',
  memoryOnly: 'متصفحك لا يحفظ هذه المحادثة، وستختفي عند مغادرة هذه الصفحة.',
  waiting: {
    rate_limited: (seconds) => `أُرسلت رسائل كثيرة في وقت قصير. ستُرسل هذه الرسالة بعد ${afterPreposition(seconds)}.`,
    unavailable: (seconds) => `الخدمة مشغولة. سنعيد المحاولة بعد ${afterPreposition(seconds)}.`,
    offline: () => 'لا يوجد اتصال بالإنترنت. ستُرسل رسالتك فور عودة الاتصال.',
    other_tab: () => 'جارٍ الرد في علامة تبويب أخرى، ورسالتك هي التالية.',
    previous: () => 'نُكمل الرد السابق أولًا…',
    retrying: (seconds) => `لم يصلنا رد بعد. سنعيد المحاولة بعد ${afterPreposition(seconds)}.`,
  },
  problems: {
    network: 'تعذّر الاتصال.',
    unexpected_response: 'ربما جاء الرد من خادم آخر (صفحة دخول \u2068Wi‑Fi\u2069 أو جدار حماية).',
    interrupted: 'انقطع الاتصال قبل اكتمال الرد.',
    timeout: 'استغرق الرد وقتًا أطول من المعتاد.',
    response_too_large: 'الرد أطول من أن يُعرض هنا.',
    not_authorised: 'المحادثة غير متاحة في هذه الصفحة حاليًا.',
    agent_unavailable: 'المساعد متوقف مؤقتًا. رسالتك محفوظة هنا.',
    not_found: 'المحادثة غير متاحة في هذه الصفحة حاليًا.',
    message_refused: 'لم تُقبل الرسالة. يُرجى تعديلها ثم إعادة إرسالها.',
    too_large: 'الرسالة طويلة جدًا. يُرجى اختصارها ثم إعادة إرسالها.',
    rate_limited: 'أُرسلت رسائل كثيرة في وقت قصير. يُرجى إعادة إرسال الرسالة بعد بضع دقائق.',
    unavailable: 'الخدمة غير متاحة حاليًا. يُرجى إعادة إرسال الرسالة بعد بضع دقائق.',
    identity_rejected: 'لم نتمكن من التحقق من هويتك. يُرجى تسجيل الدخول من جديد ثم إعادة إرسال الرسالة.',
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
  sound: 'تنبيه صوتي عند وصول الرسائل',
  expand: 'توسيع النافذة',
  reduce: 'تضييق النافذة',

  dictate: 'إملاء صوتي',
  readAloud: 'قراءة بصوت مسموع',
};
