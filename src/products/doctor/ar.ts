/** The doctor's sentences in Arabic. */
import type { DoctorSentences } from './sentences.ts';

const whereKeysAre = 'تُنشأ المفاتيح في لوحة التحكم: الإعدادات ثم المطوّرون.';

/** Latin names and addresses keep their own direction inside an Arabic sentence. */
const apart = (text: string | number) => `\u2066${text}\u2069`;

export const sentences: DoctorSentences = {
  checks: {
    settings: 'الإعدادات',
    transport: 'الاتصال الآمن HTTPS',
    policy: 'سياسة أمان المحتوى (CSP)',
    service: 'الخدمة',
    origin: 'إذن هذا الموقع',
    key: 'المفتاح',
    agent: 'الوكيل',
    storage: 'تخزين المتصفح',
  },
  states: { ok: 'سليم', problem: 'مشكلة', unknown: 'تعذّر الجزم' },
  summary: (problems) => {
    if (problems === 0) return 'لم تُكتشف أي مشكلة.';
    if (problems === 1) return 'اكتُشفت مشكلة واحدة.';
    if (problems === 2) return 'اكتُشفت مشكلتان.';
    return `اكتُشفت ${problems} مشكلات.`;
  },
  note: 'الطلبات الفاشلة التي سجّلها المتصفح أثناء ذلك هي من الفحص نفسه: إنه يطلب ما يجب أن يُرفض.',
  findings: {
    settings_ok: () => ({ says: 'العنوان والمفتاح والوكيل محدَّدة، وصيغة كل منها صحيحة.' }),
    base_url_missing: () => ({
      says: 'عنوان الخدمة غير محدَّد.',
      todo: `حدِّد ${apart('base-url')} مع بادئة الإصدار، مثل ${apart('https://api.example/api/v2')}.`,
    }),
    base_url_invalid: () => ({
      says: 'عنوان الخدمة ليس عنوان http(s) صالحًا.',
      todo: `اضبط ${apart('base-url')} على عنوان مثل ${apart('https://api.example/api/v2')}.`,
    }),
    key_missing: () => ({
      says: 'المفتاح غير محدَّد.',
      todo: `اضبط ${apart('publishable-key')} على مفتاح قابل للنشر يبدأ بـ ${apart('svc_pk_')}. ${whereKeysAre}`,
    }),
    key_secret: () => ({
      says: `هذا مفتاح سري (${apart('svc_sk_…')}). لم ترسله المحادثة إلى أي جهة، لكن كل من يفتح هذه الصفحة يستطيع قراءته.`,
      todo: `ألغِه الآن واستخدم مفتاحًا قابلًا للنشر (${apart('svc_pk_…')}). ${whereKeysAre}`,
    }),
    key_website: () => ({
      says: `هذا مفتاح موقع خاص بوكيل (${apart('pk_…')})، ومكانه في شيفرة أخرى.`,
      todo: `استخدم مفتاحًا قابلًا للنشر من مساحة العمل (${apart('svc_pk_…')}). ${whereKeysAre}`,
    }),
    key_unknown: () => ({
      says: `هذا ليس مفتاحًا قابلًا للنشر: لا يبدأ بـ ${apart('svc_pk_')}.`,
      todo: `انسخ المفتاح كاملًا من جديد. ${whereKeysAre}`,
    }),
    agent_missing: () => ({
      says: 'الوكيل غير محدَّد.',
      todo: `اضبط ${apart('agent-id')} على معرّف أحد وكلاء مساحة العمل.`,
    }),
    transport_ok: () => ({ says: 'يسمح المتصفح لهذه الصفحة بالاتصال بالخدمة.' }),
    mixed_content: ({ service }) => ({
      says: `هذه الصفحة على HTTPS وعنوان الخدمة ليس كذلك، فيحظر المتصفح الاتصال بـ ${apart(service)}.`,
      todo: `اجعل ${apart('base-url')} يبدأ بـ ${apart('https://')}.`,
    }),
    policy_ok: () => ({ says: 'لا تمنع سياسة الصفحة شيئًا تحتاج إليه المحادثة.' }),
    policy_blocks: ({ directive, source }) => ({
      says: 'تمنع سياسة أمان المحتوى في الصفحة عمل المحادثة.',
      todo: `أضف إلى السياسة، في ${apart(directive)}: ${apart(source)}`,
    }),
    service_ok: ({ service }) => ({ says: `الخدمة على ${apart(service)} تستجيب.` }),
    service_unread: ({ service }) => ({
      says: `هناك ما يستجيب على ${apart(service)} لكن لا يحق لهذه الصفحة قراءة جوابه: إما الخدمة وهي ترفض هذا الموقع، أو شيء آخر.`,
    }),
    offline: () => ({ says: 'هذا المتصفح غير متصل بالإنترنت.', todo: 'اتصل ثم أعد الفحص.' }),
    unreachable: ({ service }) => ({
      says: `لا شيء يستجيب على ${apart(service)}.`,
      todo: 'تحقق من خلو العنوان من أخطاء الكتابة ومن أن الخدمة تعمل، وقد يكون السبب جدارًا ناريًا أو إضافة في المتصفح.',
    }),
    redirected: ({ baseUrl }) => ({
      says: `${apart(baseUrl)} يحيل إلى عنوان آخر، والاتصال لا يتبع الإحالة.`,
      todo: `اضبط ${apart('base-url')} على العنوان النهائي: غالبًا ${apart('https://')} بدل ${apart('http://')}، أو المضيف الصحيح.`,
    }),
    wrong_address: ({ baseUrl, status }) => ({
      says: `هناك ما يستجيب على ${apart(baseUrl)} (${apart(`HTTP ${status}`)}) لكنه ليس الخدمة، ولعله موقع ويب.`,
      todo: `اضبط ${apart('base-url')} على عنوان الخدمة مع بادئة الإصدار، مثل ${apart('https://api.example/api/v2')}.`,
    }),
    prefix_wrong: ({ baseUrl }) => ({
      says: `الخدمة تستجيب على ${apart(baseUrl)} لكنها لا تعرف شيئًا تحته (${apart('HTTP 404')}).`,
      todo: `أنهِ ${apart('base-url')} ببادئة الإصدار، مثل ${apart('/api/v2')}.`,
    }),
    service_failing: ({ status }) => ({
      says: `في الخدمة نفسها عطل (${apart(`HTTP ${status}`)}).`,
      todo: 'أعد الفحص بعد دقائق، وإن استمر العطل فأبلغ دعم الخدمة.',
    }),
    origin_ok: ({ origin }) => ({ says: `يحق لـ ${apart(origin)} أن يسأل هذا الوكيل.` }),
    origin_local: () => ({
      says: 'يحق لهذه الصفحة أن تسأل. وهذا معتاد للصفحات على الجهاز نفسه، فافحص موقعك الحقيقي أيضًا.',
    }),
    origin_refused: ({ origin, agentId }) => ({
      says: `لا يحق لـ ${apart(origin)} قراءة أي جواب: إما أن الموقع ليس بين مواقع الوكيل، أو لا وجود لوكيل بالمعرّف ${apart(agentId)}، أو أن العنوان ليس عنوان الخدمة.`,
      todo: `أضف ${apart(origin)} إلى مواقع الوكيل المسموح بها في لوحة التحكم، وتحقق من ${apart('agent-id')} ومن ${apart('base-url')} مع بادئة الإصدار.`,
    }),
    key_ok: () => ({ says: 'تقبل الخدمة المفتاح للمحادثات.' }),
    invalid_key: () => ({
      says: 'لا تعرف الخدمة هذا المفتاح، أو أنه أُلغي.',
      todo: `انسخ المفتاح كاملًا من جديد أو أنشئ مفتاحًا آخر. ${whereKeysAre}`,
    }),
    expired_key: () => ({
      says: 'انتهت صلاحية المفتاح.',
      todo: `أنشئ مفتاحًا جديدًا قابلًا للنشر. ${whereKeysAre}`,
    }),
    key_maker_left: () => ({
      says: 'من أنشأ المفتاح لم يعد في مساحة العمل، فانتهى المفتاح معه.',
      todo: `لينشئ عضو باقٍ مفتاحًا جديدًا قابلًا للنشر. ${whereKeysAre}`,
    }),
    maker_role_limit: () => ({
      says: 'لم يعد دور العضو الذي أنشأ المفتاح يسمح بالمحادثات.',
      todo: `لينشئ عضو بدور أوسع مفتاحًا جديدًا قابلًا للنشر. ${whereKeysAre}`,
    }),
    insufficient_scope: () => ({
      says: `لا يحق للمفتاح إجراء محادثات: ينقصه النطاق ${apart('chat')}.`,
      todo: `أنشئ مفتاحًا قابلًا للنشر يشمل النطاق ${apart('chat')}. ${whereKeysAre}`,
    }),
    plan_required: () => ({
      says: 'خطة مساحة العمل لا تشمل واجهة API.',
      todo: 'انتقل إلى خطة تشملها.',
    }),
    rate_limited: () => ({
      says: 'جرت من هنا اتصالات كثيرة في هذه الدقيقة.',
      todo: 'انتظر دقيقة ثم أعد الفحص.',
    }),
    agent_ok: () => ({ says: 'أجاب الوكيل عن سؤال.' }),
    agent_unasked: () => ({
      says: 'لا شيء يمنع هذا الوكيل من الإجابة، لكن لا يُعرف إن كان يجيب إلا بسؤال حقيقي، وهو يُحتسب محادثة.',
      todo: `اطرح سؤالًا إن شئت: ${apart('WorkspaceChat("doctor", { ask: true })')}`,
    }),
    agent_unknown: ({ agentId }) => ({
      says: `لا وكيل بالمعرّف ${apart(agentId)} في مساحة عمل هذا المفتاح، أو أن المفتاح لا يصل إليه.`,
      todo: 'انسخ معرّف الوكيل من جديد من لوحة التحكم، من مساحة العمل نفسها التي منها المفتاح.',
    }),
    agent_paused: () => ({ says: 'الوكيل متوقف مؤقتًا.', todo: 'شغّله من لوحة التحكم.' }),
    answer_failed: ({ status, answer }) => ({
      says: `لم يجب الوكيل عن السؤال (${answer || status ? apart(answer || `HTTP ${status}`) : 'لا جواب'}).`,
      todo: 'أعد الفحص بعد دقائق، وإن استمر الأمر فأبلغ دعم الخدمة.',
    }),
    storage_ok: () => ({ says: 'تبقى المحادثة محفوظة من صفحة إلى أخرى.' }),
    storage_blocked: () => ({
      says: 'لا يحفظ المتصفح شيئًا لهذه الصفحة: تصفح خاص أو بيانات مواقع محظورة أو إطار معزول. تعمل المحادثة، لكنها تُنسى عند مغادرة الصفحة.',
      todo: `في الإطار المعزول أضف ${apart('allow-same-origin')}، وفيما عدا ذلك فهو إعداد الزائر نفسه.`,
    }),
    not_examined: () => ({ says: 'تعذّر فحص هذا. عالج المشكلات الأخرى أولًا.' }),
  },
};
