/** The doctor's strings in Arabic. */
import type { DoctorSentences } from './sentences.ts';

const createKeys = 'تُنشأ المفاتيح في لوحة التحكم: الإعدادات ثم المطوّرون.';

/** Isolates Latin names and URLs inside an Arabic sentence. */
const apart = (text: string | number) => `\u2066${text}\u2069`;

const setUrl = `ضبط ${apart('base-url')} على عنوان الخدمة مع بادئة الإصدار، مثل ${apart('https://api.example/api/v2')}.`;
const tryLater = 'إعادة الفحص بعد دقائق، وإبلاغ دعم الخدمة إن استمر العطل.';

export const sentences: DoctorSentences = {
  checks: {
    settings: 'الإعدادات',
    transport: 'الاتصال الآمن HTTPS',
    policy: 'سياسة أمان المحتوى (CSP)',
    service: 'الخدمة',
    origin: 'إذن هذا الموقع',
    key: 'المفتاح',
    agent: 'المساعد',
    storage: 'تخزين المتصفح',
    languages: 'اللغات',
    page: 'الصفحة',
    attributes: 'السمات',
    theme: 'المظهر',
  },
  states: { ok: 'سليم', problem: 'مشكلة', unknown: 'غير معروف' },
  summary: (problems) => {
    if (problems === 0) return 'لم تُكتشف أي مشكلة.';
    if (problems === 1) return 'اكتُشفت مشكلة واحدة.';
    if (problems === 2) return 'اكتُشفت مشكلتان.';
    return `اكتُشفت ${problems} مشكلات.`;
  },
  note: 'الطلبات الفاشلة في سجل المتصفح هي من الفحص نفسه: يجب أن ترفضها الخدمة.',
  findings: {
    settings_ok: () => ({ message: 'العنوان والمفتاح والمساعد محدَّدة، وصيغة كل منها صحيحة.' }),
    base_url_missing: () => ({
      message: 'عنوان الخدمة غير محدَّد.',
      fix: setUrl,
    }),
    base_url_quoted: () => ({
      message: 'تحيط بعنوان الخدمة علامات اقتباس.',
      fix: `حذف علامات الاقتباس من قيمة ${apart('base-url')}.`,
    }),
    base_url_invalid: () => ({
      message: 'عنوان الخدمة ليس عنوان http(s) صالحًا، أو هو مثال، أو بين علامتي اقتباس.',
      fix: setUrl,
    }),
    key_missing: () => ({
      message: 'المفتاح غير محدَّد.',
      fix: `ضبط ${apart('publishable-key')} على مفتاح عام ${apart('(publishable)')} يبدأ بـ ${apart('svc_pk_')}. ${createKeys}`,
    }),
    key_secret: () => ({
      message: `هذا مفتاح سري (${apart('svc_sk_…')}). لم ترسله المحادثة إلى أي جهة، لكن كل من يفتح هذه الصفحة يستطيع قراءته.`,
      fix: `إلغاؤه الآن واستخدام مفتاح عام (${apart('svc_pk_…')}). ${createKeys}`,
    }),
    key_website: () => ({
      message: `هذا مفتاح موقع خاص بمساعد (${apart('pk_…')})، ومكانه في شيفرة أخرى.`,
      fix: `استخدام مفتاح عام من مساحة العمل (${apart('svc_pk_…')}). ${createKeys}`,
    }),
    key_unknown: () => ({
      message: `هذا ليس مفتاحًا عامًا: لا يبدأ بـ ${apart('svc_pk_')}.`,
      fix: `نسخ المفتاح كاملًا من جديد. ${createKeys}`,
    }),
    key_quoted: () => ({
      message: 'تحيط بالمفتاح علامات اقتباس.',
      fix: `حذف علامات الاقتباس من قيمة ${apart('publishable-key')}.`,
    }),
    key_example: () => ({
      message: 'هذا هو المفتاح الوارد مثالًا في الوثائق، أو جزء منه.',
      fix: `كتابة مفتاحك هنا. ${createKeys}`,
    }),
    agent_quoted: () => ({
      message: 'تحيط بمعرّف المساعد علامات اقتباس.',
      fix: `حذف علامات الاقتباس من قيمة ${apart('agent-id')}.`,
    }),
    agent_example: () => ({
      message: 'هذا هو المساعد الوارد مثالًا في الوثائق، أو جزء منه.',
      fix: 'كتابة معرّف أحد المساعدين في مساحة العمل هنا.',
    }),
    agent_missing: () => ({
      message: 'المساعد غير محدَّد.',
      fix: `ضبط ${apart('agent-id')} على معرّف أحد المساعدين في مساحة العمل.`,
    }),
    transport_ok: () => ({ message: 'يسمح المتصفح لهذه الصفحة بالاتصال بالخدمة.' }),
    mixed_content: ({ service }) => ({
      message: `هذه الصفحة على HTTPS وعنوان الخدمة ليس كذلك، فيحظر المتصفح الاتصال بـ ${apart(service)}.`,
      fix: `كتابة ${apart('https://')} في بداية ${apart('base-url')}.`,
    }),
    policy_ok: () => ({ message: 'لا تمنع سياسة الصفحة شيئًا تحتاج إليه المحادثة.' }),
    policy_blocks: ({ directive, source }) => ({
      message: 'تمنع سياسة أمان المحتوى في الصفحة عمل المحادثة.',
      fix: `إضافة هذا إلى السياسة، في ${apart(directive)}: ${apart(source)}`,
    }),
    service_ok: ({ service }) => ({ message: `الخدمة على ${apart(service)} تستجيب.` }),
    service_unread: ({ service }) => ({
      message: `${apart(service)} يستجيب، لكن هذه الصفحة لا تقرأ استجابته: إما أن الخدمة ترفض هذا الموقع، أو أنه خادم آخر.`,
    }),
    offline: () => ({ message: 'هذا المتصفح غير متصل بالإنترنت.', fix: 'إعادة الفحص بعد الاتصال.' }),
    unreachable: ({ service }) => ({
      message: `لا استجابة من ${apart(service)}.`,
      fix: 'التحقق من كتابة العنوان ومن أن الخدمة تعمل، وقد يحجبها جدار حماية أو إضافة في المتصفح.',
    }),
    base_url_example: ({ service }) => ({
      message: `${apart(service)} هو العنوان الوارد مثالًا في الوثائق.`,
      fix: setUrl,
    }),
    redirected: ({ baseUrl }) => ({
      message: `${apart(baseUrl)} يعيد التوجيه إلى عنوان آخر، والمحادثة لا تتبع إعادة التوجيه.`,
      fix: `ضبط ${apart('base-url')} على العنوان النهائي.`,
    }),
    wrong_address: ({ baseUrl, status }) => ({
      message: `يوجد خادم يستجيب على هذا العنوان، ${apart(baseUrl)} (${apart(`HTTP ${status}`)})، لكنه ليس الخدمة، ولعله موقع ويب.`,
      fix: setUrl,
    }),
    prefix_wrong: ({ baseUrl }) => ({
      message: `الخدمة تستجيب على ${apart(baseUrl)} لكنها لا تعرف شيئًا تحته (${apart('HTTP 404')}).`,
      fix: `كتابة بادئة الإصدار في نهاية ${apart('base-url')}، مثل ${apart('/api/v2')}.`,
    }),
    service_failing: ({ status }) => ({
      message: `في الخدمة نفسها عطل (${apart(`HTTP ${status}`)}).`,
      fix: tryLater,
    }),
    origin_ok: ({ origin }) => ({ message: `يُسمح لـ ${apart(origin)} بالاتصال بهذا المساعد.` }),
    origin_local: () => ({
      message: 'يُسمح لهذه الصفحة بالاتصال. وهذا معتاد للصفحات على الجهاز نفسه، لذا يُرجى فحص موقعك الحقيقي أيضًا.',
    }),
    origin_rejected: ({ origin, agentId }) => ({
      message: `لا يُسمح لـ ${apart(origin)} بقراءة أي استجابة: إما أن الموقع ليس بين مواقع المساعد، أو لا وجود لمساعد بالمعرّف ${apart(agentId)}، أو أن العنوان يعيد التوجيه أو ليس عنوان الخدمة.`,
      fix: `إضافة ${apart(origin)} إلى مواقع المساعد المسموح بها في لوحة التحكم، والتحقق من ${apart('agent-id')} ومن ${apart('base-url')} مع بادئة الإصدار.`,
    }),
    key_ok: () => ({ message: 'تقبل الخدمة المفتاح للمحادثات.' }),
    invalid_key: () => ({
      message: 'لا تعرف الخدمة هذا المفتاح، أو أنه أُلغي.',
      fix: `نسخ المفتاح كاملًا من جديد أو إنشاء مفتاح آخر. ${createKeys}`,
    }),
    expired_key: () => ({
      message: 'انتهت صلاحية المفتاح.',
      fix: `إنشاء مفتاح عام جديد. ${createKeys}`,
    }),
    key_maker_left: () => ({
      message: 'من أنشأ المفتاح لم يعد في مساحة العمل، فأُلغي المفتاح بخروجه.',
      fix: `إنشاء مفتاح عام جديد من عضو باقٍ. ${createKeys}`,
    }),
    maker_role_limit: () => ({
      message: 'لم يعد دور العضو الذي أنشأ المفتاح يسمح بالمحادثات.',
      fix: `إنشاء مفتاح عام جديد من عضو له دور أوسع. ${createKeys}`,
    }),
    insufficient_scope: () => ({
      message: `لا يملك المفتاح صلاحية إجراء المحادثات: ينقصه النطاق ${apart('chat')}.`,
      fix: `إنشاء مفتاح عام يشمل النطاق ${apart('chat')}. ${createKeys}`,
    }),
    plan_required: () => ({
      message: 'باقة مساحة العمل لا تشمل واجهة API.',
      fix: 'الانتقال إلى باقة تشملها.',
    }),
    rate_limited: () => ({
      message: 'وصلت من هذا الموقع طلبات كثيرة خلال هذه الدقيقة.',
      fix: 'إعادة الفحص بعد دقيقة.',
    }),
    agent_ok: () => ({ message: 'ردّ المساعد على سؤال.' }),
    agent_not_asked: () => ({
      message: 'لا يُعرف إن كان المساعد يرد إلا بسؤال حقيقي يُحتسب محادثة.',
      fix: `طرح سؤال حقيقي عند الرغبة: ${apart('WorkspaceChat("doctor", { ask: true })')}`,
    }),
    agent_unknown: ({ agentId }) => ({
      message: `لا مساعد بالمعرّف ${apart(agentId)} في مساحة عمل هذا المفتاح، أو أن المفتاح لا يصل إليه.`,
      fix: 'نسخ معرّف المساعد من جديد من لوحة التحكم، من مساحة العمل نفسها التي منها المفتاح.',
    }),
    agent_paused: () => ({ message: 'المساعد متوقف مؤقتًا.', fix: 'تشغيله من لوحة التحكم.' }),
    question_failed: ({ status, response }) => ({
      message: `لم يرد المساعد على السؤال (${response || status ? apart(response || `HTTP ${status}`) : 'لا استجابة'}).`,
      fix: tryLater,
    }),
    message_rejected: ({ response }) => ({
      message: `رفضت الخدمة رسالة بالرمز «\u2068${response}\u2069».`,
      fix: tryLater,
    }),
    storage_ok: () => ({ message: 'تبقى المحادثة محفوظة من صفحة إلى أخرى.' }),
    storage_blocked: () => ({
      message:
        'لا يحفظ المتصفح شيئًا لهذه الصفحة: تصفح خاص أو بيانات مواقع محظورة أو إطار معزول. تنتهي المحادثة مع الصفحة.',
      fix: `إضافة ${apart('allow-same-origin')} في الإطار المعزول، وفيما عدا ذلك فهو إعداد الزائر نفسه.`,
    }),
    languages_ok: () => ({ message: 'نصوص اللغات المسجَّلة كاملة.' }),
    languages_incomplete: ({ missing }) => ({
      message: `بعض النصوص ناقصة وتظهر بالإنجليزية: ${apart(missing)}.`,
      fix: `إضافتها إلى النصوص التي تمررها إلى ${apart('registerLocale')}.`,
    }),
    language_missing: ({ language }) => ({
      message: `اللغة هي ${apart(language)}، ولا نصوص للمحادثة بها، فتظهر النصوص بالإنجليزية.`,
      fix: `إضافة اللغة بـ ${apart('registerLocale')} أو اختيار لغة أخرى بـ ${apart('locale')}.`,
    }),
    chat_missing: () => ({
      message: 'لا توجد محادثة في هذه الصفحة.',
      fix: `قد تستبعد الصفحةَ السمات ${apart('only-on')} أو ${apart('not-on')} أو ${apart('delay')} في وسم السكربت، أو أزال سكربت آخر المحادثة.`,
    }),
    attributes_invalid: ({ invalid }) => ({
      message: `أسماء هذه السمات أو قيمها غير معروفة: ${apart(invalid)}.`,
      fix: 'تصحيح الاسم أو استخدام إحدى القيم الواردة في الوثائق.',
    }),
    theme_invalid: ({ invalid }) => ({
      message: `يتجاهل المتصفح القواعد التي تستخدم قيمة غير صالحة: ${apart(invalid)}.`,
      fix: 'كتابة الأبعاد والمسافات أطوالًا مع وحدتها، وكتابة اللون لونًا واحدًا.',
    }),
    not_examined: () => ({ message: 'تعذّر فحص هذا. يُرجى حل المشكلات الأخرى أولًا.' }),
  },
};
