/** Persian, for `registerLocale`. Not yet reviewed by a native speaker. */
import type { LocaleDefinition } from '../locale-definition.ts';

// Isolated, because a title may be in another language.
const quoted = (title: string) => `«\u2068${title}\u2069»`;
const unavailable = 'گفتگو در حال حاضر در این صفحه در دسترس نیست.';
const later = 'چند دقیقهٔ دیگر پیام خود را دوباره بفرستید.';

const fa: LocaleDefinition = {
  direction: 'rtl',
  strings: {
    openChat: 'باز کردن گفتگو',
    closeChat: 'بستن گفتگو',
    unread: { other: '# پیام تازه' },
    opening: 'در حال باز کردن گفتگو…',
    chunkFailed: 'گفتگو بارگذاری نشد.',
    tryAgain: 'تلاش دوباره',
    notAvailable: unavailable,

    heading: 'با ما گفتگو کنید',
    greeting: 'سلام! چطور می‌توانیم کمکتان کنیم؟',
    starters: [],
    notice: 'پاسخ‌های هوش مصنوعی ممکن است اشتباه باشند.',
    privacyLabel: 'حریم خصوصی',
    privacyUrl: '',

    status: {
      ai_active: 'دستیار',
      handoff_requested: 'از همکارمان خواسته‌ایم به گفتگو بپیوندد',
      human_active: 'همکارمان پاسخ می‌دهد',
      closed: 'گفتگو پایان یافت',
    },
    menu: 'منو',
    transcript: 'گفتگو',
    newMessages: 'پیام‌های تازه',

    message: 'پیام',
    placeholder: 'پیامی بنویسید…',
    send: 'ارسال',
    stop: 'توقف',

    you: 'شما',
    assistant: 'دستیار',
    person: 'تیم',
    thinking: 'در حال پاسخ دادن…',
    sources: 'منابع',

    chosen: 'انتخاب‌شده:',
    choose: 'انتخاب',
    sent: 'ارسال شد',
    select: 'انتخاب کنید…',
    optional: '(اختیاری)',
    fieldProblems: {
      required: 'لطفاً این قسمت را پر کنید.',
      email: 'لطفاً یک نشانی ایمیل وارد کنید، مانند \u2068name@example.com\u2069.',
      phone: 'لطفاً یک شمارهٔ تلفن وارد کنید، مانند \u2068+98 21 1234 5678\u2069.',
      number: 'لطفاً یک عدد وارد کنید.',
      date: 'لطفاً تاریخ کامل را وارد کنید.',
    },
    noSecrets: (labels) => `کنار گذاشته شد: ${labels}. رمز عبور یا اطلاعات کارت را در گفتگو ننویسید.`,
    availability: { in_stock: 'موجود', out_of_stock: 'ناموجود', preorder: 'پیش‌سفارش' },
    updated: (when) => `به‌روزرسانی: ${when}`,
    details: 'جزئیات',
    moreTimes: 'زمان‌های بیشتر',
    twoTimes: (zone) => `نخست به وقت شما، سپس به وقت \u2068${zone}\u2069.`,

    code: {
      copy: 'کپی',
      copied: 'کپی شد',
      code: (language) => (language ? `کد، \u2068${language}\u2069` : 'کد'),
    },

    notConfirmed: 'تأیید نشد',
    notSent: 'ارسال نشد',
    interrupted: 'پاسخ ناتمام ماند.',

    notices: {
      restarted: 'گفتگوی پیشین پایان یافته است. این گفتگوی تازه‌ای است.',
      handoff: 'از همکارمان خواسته‌ایم به گفتگو بپیوندد. تا آن زمان دستیار کمکتان می‌کند.',
      joined: 'همکارمان به گفتگو پیوست.',
      returned: 'دستیار دوباره پاسخ می‌دهد.',
      closed: 'این گفتگو پایان یافته است.',
      unlinked: 'پیام بعدی گفتگوی تازه‌ای را آغاز می‌کند.',
    },
    blockNames: {
      form: { other: 'فرم، # خانه' },
      options: { other: '# گزینه' },
      open_times: { other: '# زمان' },
      products: { other: '# محصول' },
      links: { other: '# پیوند' },
    },
    tooLong: { other: 'پیام # نویسه بیش از حد مجاز است. آن را کوتاه کنید.' },
    sendAgain: 'ارسال دوباره',
    edit: 'ویرایش',
    askAgain: 'پرسش دوباره',
    stopped: 'متوقف شد',
    offline: 'آفلاین هستید',
    feedback: { up: 'مفید', down: 'غیرمفید', comment: 'نظر (اختیاری)' },
    startAgain: 'آغاز گفتگوی تازه',
    replying: 'در حال پاسخ دادن…',
    conversationErased: 'گفتگوی تازه',
    refused: 'دستیار نمی‌تواند در این موضوع کمک کند',
    limit: 'دستیار به سقف ماهانهٔ گفتگوها رسیده است.',
    degraded: 'برخی از منابع در دسترس نبودند.',
    replyingInOtherTab: 'در حال پاسخ دادن در زبانه‌ای دیگر…',
    stillWorking: 'در حال آماده شدن…',
    memoryOnly: 'مرورگر شما این گفتگو را ذخیره نمی‌کند.',
    waiting: {
      rate_limited: (seconds) => `پیام‌ها را خیلی سریع می‌فرستید. این پیام تا ${seconds} دیگر فرستاده می‌شود.`,
      unavailable: (seconds) => `سرویس شلوغ است. تلاش دوباره تا ${seconds} دیگر.`,
      offline: () => 'آفلاین هستید. پیام شما پس از اتصال دوباره فرستاده می‌شود.',
      other_tab: () => 'در حال پاسخ دادن در زبانه‌ای دیگر…',
      previous: () => 'پاسخ قبلی کامل می‌شود…',
      retrying: (seconds) => `هنوز پاسخی نرسیده است. تلاش دوباره تا ${seconds} دیگر.`,
    },
    problems: {
      network: 'اتصال برقرار نشد.',
      unexpected_response: 'سرور دیگری پاسخ داد (صفحهٔ ورود \u2068Wi‑Fi\u2069 یا دیوار آتش؟).',
      interrupted: 'اتصال پیش از کامل شدن پاسخ قطع شد.',
      timeout: 'پاسخ خیلی طول کشید.',
      response_too_large: 'پاسخ برای نمایش خیلی بزرگ است.',
      not_authorised: unavailable,
      agent_unavailable: 'دستیار فعلاً متوقف است. پیام شما همین‌جا می‌ماند.',
      not_found: unavailable,
      message_refused: 'پیام پذیرفته نشد. آن را ویرایش کنید و دوباره بفرستید.',
      too_large: 'پیام خیلی طولانی است. آن را کوتاه کنید و دوباره بفرستید.',
      rate_limited: `پیام‌ها را خیلی سریع می‌فرستید. ${later}`,
      unavailable: `سرویس در حال حاضر در دسترس نیست. ${later}`,
      identity_rejected: 'هویت شما تأیید نشد. دوباره وارد شوید و پیام خود را بفرستید.',
      internal_error: 'خطایی رخ داد.',
      unknown: 'خطایی رخ داد.',
    },

    tools: {
      asked: (title) => `استفاده از ${quoted(title)}؟`,
      running: (title) => `در حال استفاده از ${quoted(title)}…`,
      answered: (title) => `از ${quoted(title)} استفاده شد`,
      failed: (title) => `استفاده از ${quoted(title)} ناموفق بود`,
      refused: (title) => `اجازهٔ استفاده از ${quoted(title)} داده نشد`,
    },
    toolQuestion: (title) => `آیا دستیار می‌تواند در این صفحه از ${quoted(title)} استفاده کند؟`,
    untitledTool: 'قابلیتی از این صفحه',
    timeLeft: (time) => `زمان باقی‌مانده: ${time}`,
    questionTimedOut: 'مهلت پاسخ به این پرسش تمام شد.',
    allow: 'اجازه دادن',
    refuse: 'اجازه ندادن',

    newConversation: 'گفتگوی تازه',
    download: 'دانلود این گفتگو',
    sound: 'صدای پیام‌های تازه',
    expand: 'بزرگ‌تر',
    reduce: 'کوچک‌تر',
    dismiss: 'پنهان کردن',
    dictate: 'گفتن',
    readAloud: 'خواندن',
  },
};

export default fa;
