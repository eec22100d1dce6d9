/** Arabic. */
import { launcherStrings } from './launcher.ts';
import type { Strings } from './strings.ts';

const readable = (name: string) => `«\u2068${name.replaceAll('_', ' ')}\u2069»`;

export const strings: Strings = {
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
  newConversation: 'محادثة جديدة',
  download: 'تنزيل هذه المحادثة',
  transcript: 'المحادثة',
  newMessages: 'رسائل جديدة',
  loading: 'جارٍ التحميل…',

  message: 'الرسالة',
  placeholder: 'اكتب رسالتك…',
  send: 'إرسال',
  stop: 'إيقاف',
  tooLong: (excess) => `الرسالة أطول من الحد المسموح، والزيادة ${excess} من الأحرف. اختصرها أو أرسلها على أجزاء.`,

  you: 'أنت',
  assistant: 'المساعد',
  person: 'الفريق',
  thinking: 'يفكّر…',
  sources: 'المصادر',
  code: { copy: 'نسخ', copied: 'تم النسخ', code: (language) => (language ? `شيفرة \u2068${language}\u2069` : 'شيفرة') },

  notConfirmed: 'لم يتأكد الإرسال',
  notSent: 'لم تُرسل',
  sendAgain: 'إرسال مجددًا',
  edit: 'تعديل',
  stopped: 'أوقفتَ الإجابة',
  interrupted: 'انقطعت الإجابة قبل أن تكتمل.',
  askAgain: 'السؤال مجددًا',
  refused: 'خارج نطاق ما يستطيع المساعد الإجابة عنه',
  limit: 'بلغ المساعد الحد الأقصى من المحادثات لهذا الشهر.',
  degraded: 'كُتبت هذه الإجابة دون الوصول إلى كل ما يستعين به المساعد عادةً.',

  answeringElsewhere: 'تجري الإجابة في نافذة أخرى…',
  memoryOnly: 'لا يحفظ هذا المتصفح شيئًا، وستنتهي المحادثة عند مغادرة الصفحة.',
  waiting: {
    rate_limited: (seconds) => `وصلتنا رسائل كثيرة دفعة واحدة. ستُرسل رسالتك بعد ${seconds}.`,
    unavailable: (seconds) => `الخدمة تحتاج إلى لحظات. سنحاول مجددًا بعد ${seconds}.`,
    offline: () => 'لا يوجد اتصال بالإنترنت. ستُرسل رسالتك فور عودة الاتصال.',
    elsewhere: () => 'تجري الإجابة في نافذة أخرى، ورسالتك هي التالية.',
    previous: () => 'ننهي الإجابة السابقة أولًا…',
    retrying: (seconds) => `لم يصل رد بعد. سنحاول مجددًا بعد ${seconds}.`,
  },
  notices: {
    restarted: 'انتهت المحادثة السابقة، وهذه محادثة جديدة.',
    handoff: 'طلبنا من أحد أعضاء الفريق الانضمام، ويواصل المساعد الإجابة إلى حين انضمامه.',
    joined: 'انضم أحد أعضاء الفريق إلى المحادثة.',
    returned: 'عاد المساعد إلى الإجابة.',
    closed: 'انتهت هذه المحادثة.',
    unlinked: 'ستبدأ الرسالة التالية محادثة جديدة.',
  },
  problems: {
    network: 'تعذّر الاتصال، ولسنا متأكدين من وصول رسالتك.',
    unexpected_answer: 'وصل رد من جهة أخرى بيننا وبينك، ولسنا متأكدين من وصول رسالتك.',
    interrupted: 'انقطع الاتصال قبل اكتمال الإجابة.',
    timeout: 'تأخرت الإجابة أكثر من اللازم.',
    answer_too_large: 'الإجابة أكبر من أن تُعرض.',
    not_authorised: 'المحادثة غير متاحة على هذه الصفحة حاليًا.',
    agent_unavailable: 'المساعد متوقف مؤقتًا، ورسالتك محفوظة هنا.',
    not_found: 'المحادثة غير متاحة على هذه الصفحة حاليًا.',
    message_refused: 'تعذّر قبول الرسالة. عدّلها ثم أرسلها مجددًا.',
    too_large: 'الرسالة طويلة جدًا. اختصرها ثم أرسلها مجددًا.',
    rate_limited: 'وصلتنا رسائل كثيرة دفعة واحدة. أرسل رسالتك مجددًا بعد بضع دقائق.',
    unavailable: 'الخدمة غير متاحة حاليًا. أرسل رسالتك مجددًا بعد بضع دقائق.',
    identity_rejected: 'لم نتمكن من التحقق من هويتك. سجّل الدخول من جديد ثم أرسل رسالتك مجددًا.',
    internal_error: 'حدث خطأ من جانبنا ولم تُستلم رسالتك.',
    unknown: 'حدث خطأ ما ولم تُستلم رسالتك.',
  },
  configuration: {
    base_url_missing: 'لم يكتمل إعداد هذه المحادثة: ينقصها «base-url».',
    base_url_invalid: 'إعداد هذه المحادثة غير صحيح: قيمة «base-url» ليست عنوان http(s).',
    key_missing: 'لم يكتمل إعداد هذه المحادثة: ينقصها «publishable-key».',
    key_secret:
      'وُضع في هذه المحادثة مفتاح سري (\u2068svc_sk_…\u2069)، ولا يجوز أن يظهر المفتاح السري في أي صفحة: ألغِه واستخدم المفتاح العام (\u2068svc_pk_…\u2069).',
    key_website:
      'وُضع في هذه المحادثة مفتاح موقع المساعد (\u2068pk_…\u2069). استخدم مفتاحًا عامًا لمساحة العمل (\u2068svc_pk_…\u2069).',
    key_unknown: 'إعداد هذه المحادثة غير صحيح: قيمة «publishable-key» لا تبدأ بـ \u2068svc_pk_\u2069.',
    agent_missing: 'لم يكتمل إعداد هذه المحادثة: ينقصها «agent-id».',
  },
  tools: {
    asked: (name) => `يطلب استخدام ${readable(name)}`,
    running: (name) => `يستخدم ${readable(name)}…`,
    answered: (name) => `استخدم ${readable(name)}`,
    failed: (name) => `لم ينجح استخدام ${readable(name)}`,
    refused: (name) => `لم يُسمح باستخدام ${readable(name)}`,
  },
  toolQuestion: (name) => `هل تسمح للمساعد باستخدام ${readable(name)} في هذه الصفحة؟`,
  allow: 'سماح',
  refuse: 'عدم السماح',
};
