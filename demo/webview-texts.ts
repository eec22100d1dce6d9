/** The texts of the page with the phone, in both languages. */
export const texts = {
  title: { en: 'In an app’s webview', ar: '\u200fWebView داخل تطبيق' },
  lead: {
    en: 'The phone shows webview.html as an app would. This page is the app: it stores the conversation, runs the tool, opens the links, and lists every message.',
    ar: 'يعرض الهاتف صفحة \u2066webview.html\u2069 كما يعرضها تطبيق. والتطبيق هو هذه الصفحة: تحفظ المحادثة وتشغّل الأداة وتفتح الروابط وتسجّل كل رسالة.',
  },
  docs: { en: 'Docs', ar: 'التوثيق' },
  scheme: { en: 'Light or dark', ar: 'فاتح أو داكن' },
  language: { en: 'العربية', ar: 'English' },
  phone: { en: 'Phone', ar: 'هاتف' },
  chat: { en: 'Chat', ar: 'المحادثة' },
  shop: { en: 'Palm & Clay', ar: 'نخيل وطين' },
  home: { en: 'The app’s own screen.', ar: 'شاشة التطبيق نفسه.' },
  open: { en: 'Ask us', ar: 'طرح سؤال' },
  back: { en: 'Back button', ar: 'زر الرجوع' },
  reload: { en: 'Load again', ar: 'إعادة التحميل' },
  sheet: { en: 'The app opens', ar: 'يفتح التطبيق' },
  dismiss: { en: 'Done', ar: 'تم' },
  app: { en: 'The app', ar: 'التطبيق' },
  notch: { en: 'Notch and home indicator (insets)', ar: 'فتحة الشاشة ومؤشر الشاشة الرئيسية (insets)' },
  keyboard: { en: 'Keyboard over the page (insets)', ar: 'لوحة مفاتيح فوق الصفحة (insets)' },
  customer: { en: 'Signed in as Aisha (identify, logout)', ar: 'الدخول باسم عائشة (identify وlogout)' },
  tool: { en: 'The app’s tool get_order_status', ar: 'أداة التطبيق \u2066get_order_status\u2069' },
  toolResponses: { en: 'returns a result', ar: 'ترد' },
  toolFails: { en: 'fails', ar: 'تفشل' },
  toolHangs: { en: 'never returns', ar: 'لا ترد أبدًا' },
  ask: { en: 'Send a message of the visitor (send)', ar: 'السؤال نيابةً عن الزائر (send)' },
  question: { en: 'Where is order number 1042?', ar: 'وين وصل طلبي رقم 1042؟' },
  send: { en: 'Send', ar: 'إرسال' },
  keptNothing: { en: 'The app keeps no conversation.', ar: 'لا يحفظ التطبيق أي محادثة.' },
  kept: {
    en: (count: number, size: string) =>
      `The app keeps ${count === 1 ? '1 conversation' : `${count} conversations`} (${size}).`,
    ar: (count: number, size: string) => {
      const forms = {
        zero: '',
        one: 'محادثة واحدة',
        two: 'محادثتين',
        few: `${count} محادثات`,
        many: `${count} محادثة`,
      };
      const conversations = { ...forms, other: `${count} محادثة` }[new Intl.PluralRules('ar').select(count)];
      return `يحفظ التطبيق ${conversations} (${size}).`;
    },
  },
  forget: { en: 'Forget it', ar: 'حذف المحفوظ' },
  log: { en: 'Messages', ar: 'الرسائل' },
  clear: { en: 'Clear', ar: 'مسح' },
  all: { en: 'Storage messages too', ar: 'رسائل التخزين (storage) أيضًا' },
  raw: { en: 'Send any message, also an invalid one', ar: 'إرسال أي رسالة، حتى غير الصالحة' },
  toApp: { en: 'to the app', ar: 'إلى التطبيق' },
  toPage: { en: 'to the page', ar: 'إلى الصفحة' },
} as const;
