/** The texts of the page "Installer", in English and Arabic. */
import type { Platform } from './installer-snippets.ts';

export type Language = 'en' | 'ar';

type Texts<Name extends string> = Record<Name, Record<Language, string>>;

/** Isolates Latin names inside an Arabic sentence. */
const apart = (text: string): string => `\u2066${text}\u2069`;

export const texts = {
  title: { en: 'Put the chat on your site', ar: 'إضافة المحادثة إلى موقعك' },
  lead: {
    en: 'Enter three values from your workspace. This page checks them, shows the chat, and writes the code for your site.',
    ar: 'تُكتب هنا ثلاث قيم من مساحة العمل. تفحصها هذه الصفحة وتعرض المحادثة وتكتب لك الشيفرة الجاهزة.',
  },
  scheme: { en: 'Light or dark', ar: 'فاتح أو داكن' },
  language: { en: 'العربية', ar: 'English' },
  values: { en: 'Your values', ar: 'القيم' },
  baseUrl: { en: 'Address of the service', ar: 'عنوان الخدمة' },
  baseUrlHint: {
    en: 'base-url: ends with the version, such as /api/v2',
    ar: `${apart('base-url')}: ينتهي بالإصدار، مثل ${apart('/api/v2')}`,
  },
  publishableKey: { en: 'Publishable key', ar: 'المفتاح العام ⁨(publishable)⁩' },
  publishableKeyHint: {
    en: 'publishable-key: begins with svc_pk_. A secret key is not sent anywhere.',
    ar: `${apart('publishable-key')}: يبدأ بـ ${apart('svc_pk_')}، ولا يُرسَل المفتاح السري إلى أي جهة.`,
  },
  agentId: { en: 'Agent', ar: 'المساعد' },
  agentIdHint: { en: 'agent-id: begins with agt_', ar: `${apart('agent-id')}: يبدأ بـ ${apart('agt_')}` },
  examine: { en: 'Check and continue', ar: 'فحص ومتابعة' },
  harmless: {
    en: 'No question is asked, and nothing counts as a conversation.',
    ar: 'لا يُطرح أي سؤال ولا يُحتسب شيء محادثةً.',
  },
  examining: { en: 'Checking…', ar: 'جارٍ الفحص…' },
  ask: { en: 'Ask one real question', ar: 'طرح سؤال حقيقي واحد' },
  copyReport: { en: 'Copy the report', ar: 'نسخ التقرير' },
  copy: { en: 'Copy', ar: 'نسخ' },
  copied: { en: 'Copied', ar: 'نُسخ' },
  details: { en: 'Show every check', ar: 'عرض كل الفحوص' },
  preview: { en: 'Preview', ar: 'معاينة' },
  previewEmpty: {
    en: 'Your chat appears here when the values are correct.',
    ar: 'تظهر محادثتك هنا حين تصح القيم.',
  },
  previewNote: {
    en: 'This is the real chat: a message that you send here counts as a conversation.',
    ar: 'هذه هي المحادثة الحقيقية: كل رسالة ترسلها هنا تُحتسب محادثة.',
  },
  code: { en: 'Your code', ar: 'الشيفرة' },
  codeEmpty: {
    en: 'The code for your site appears here when the values are correct.',
    ar: 'تظهر شيفرة موقعك هنا حين تصح القيم.',
  },
  platform: { en: 'Your site is built with', ar: 'موقعك مبني بـ' },
  scriptUrl: { en: 'Address of embed.js', ar: `عنوان ${apart('embed.js')}` },
  scriptUrlHint: {
    en: 'The file on your website, from the folder that you have uploaded',
    ar: 'الملف على موقعك، من المجلد الذي رفعته',
  },
  scriptUrlWrong: {
    en: 'Enter the whole address, such as https://cdn.example/embed.js',
    ar: `يُرجى إدخال العنوان كاملًا، مثل ${apart('https://cdn.example/embed.js')}`,
  },
  policy: { en: 'My site has a Content-Security-Policy', ar: 'لموقعي سياسة أمان محتوى (CSP)' },
  policyLead: {
    en: 'Add these sources to the directives of your policy. The last line is needed only with require-trusted-types-for.',
    ar: `يُرجى إضافة هذه المصادر إلى توجيهات سياستك. لا يلزم السطر الأخير إلا مع ${apart('require-trusted-types-for')}.`,
  },
  allowTitle: { en: 'Last step: allow your site', ar: 'الخطوة الأخيرة: السماح لموقعك' },
  allowLead: {
    en: 'Add the address of your site, such as https://www.your-site.example, to the allowed websites of the agent. Then open your site. If the chat does not appear, type this in the console of the browser:',
    ar: `يُرجى إضافة عنوان موقعك، مثل ${apart('https://www.your-site.example')}، إلى مواقع المساعد المسموح بها ثم فتح موقعك. إن لم تظهر المحادثة، فيُكتب هذا في وحدة تحكم المتصفح:`,
  },
} as const satisfies Texts<string>;

export const platformNames: Texts<Platform> = {
  html: { en: 'HTML', ar: 'HTML' },
  wordpress: { en: 'WordPress', ar: 'ووردبريس' },
  shopify: { en: 'Shopify', ar: 'شوبيفاي' },
  gtm: { en: 'Google Tag Manager', ar: 'Google Tag Manager' },
  next: { en: 'Next.js', ar: 'Next.js' },
  react: { en: 'React', ar: 'React' },
  vue: { en: 'Vue', ar: 'Vue' },
};

/** Where the code of each platform belongs. */
export const instructions: Texts<Platform> = {
  html: {
    en: 'Paste this before </body> on every page.',
    ar: `يُلصق هذا قبل ${apart('</body>')} في كل صفحة.`,
  },
  wordpress: {
    en: 'Add this to the end of functions.php of your child theme, or to a code snippets plugin, and clear the page cache.',
    ar: `يُضاف هذا إلى نهاية ${apart('functions.php')} في القالب الفرعي أو إلى إضافة لمقتطفات الشيفرة، ثم تُمسح ذاكرة الصفحات المؤقتة.`,
  },
  shopify: {
    en: 'Open Online Store, Themes, Edit code. Paste this before </body> in layout/theme.liquid, and save.',
    ar: `المتجر الإلكتروني ثم القوالب ثم تعديل الشيفرة. يُلصق هذا قبل ${apart('</body>')} في ${apart('layout/theme.liquid')} ويُحفظ.`,
  },
  gtm: {
    en: 'Create a tag of the type Custom HTML, paste this, choose the trigger All Pages, and publish the container.',
    ar: `يُنشأ وسم من النوع ${apart('Custom HTML')} ويُلصق فيه هذا، ويُختار المشغّل ${apart('All Pages')}، ثم تُنشر الحاوية.`,
  },
  next: {
    en: 'Install the package, and render the chat once, in the root layout of the App Router.',
    ar: `تُثبَّت الحزمة وتُعرض المحادثة مرة واحدة في التخطيط الجذري لـ ${apart('App Router')}.`,
  },
  react: {
    en: 'Install the package, and render the component once, near the root of your application.',
    ar: 'تُثبَّت الحزمة ويُعرض المكوّن مرة واحدة قرب جذر التطبيق.',
  },
  vue: {
    en: 'Install the package, use the component once, and tell Vue that the tag is a custom element.',
    ar: `تُثبَّت الحزمة ويُستخدم المكوّن مرة واحدة، ويُسجَّل الوسم في ${apart('Vue')} عنصرًا مخصصًا.`,
  },
};
