/** The language of the team's page, and its Arabic texts. A view without Arabic texts stays in English, from left to right. */

const arabic = {
  // The page.
  Inbox: 'الوارد',
  Unanswered: 'بلا رد',
  Agents: 'المساعدون',
  Contacts: 'جهات الاتصال',
  Keys: 'المفاتيح',
  Webhooks: 'الخطافات',
  Workspace: 'مساحة العمل',
  'Audit log': 'سجل التغييرات',
  Dashboard: 'لوحة التحكم',
  'The service does not respond. Trying again…': 'الخدمة لا تستجيب. تجري إعادة المحاولة…',
  // The sign-in.
  'Palm & Clay': 'نخيل وطين',
  'Palm & Clay’s team': 'فريق «نخيل وطين»',
  'Sign in': 'تسجيل الدخول',
  'Sign out': 'تسجيل الخروج',
  'With a secret key': 'بمفتاح سري',
  'The workspace’s secret key, printed in the terminal': 'المفتاح السري لمساحة العمل، وهو مطبوع في سطر الأوامر',
  'Open the inbox': 'فتح الوارد',
  no_role: 'لا دور لحسابك يفتح هذه الصفحة. يُرجى مراجعة من يدير حسابات الدخول.',
  former_member: 'انتهت عضويتك في هذا الفريق. يمكن لصاحب مساحة العمل دعوتك من جديد.',
  expired: 'استغرق تسجيل الدخول وقتًا أطول من المسموح. تُرجى المحاولة مرة أخرى.',
  failed: 'تعذّر تسجيل الدخول. تُرجى المحاولة مرة أخرى.',
  // The inbox.
  'To approve': 'بانتظار الموافقة',
  'Requests to approve': 'طلبات بانتظار الموافقة',
  Approve: 'موافقة',
  Reject: 'رفض',
  'Approved.': 'تمت الموافقة.',
  'Rejected.': 'تم الرفض.',
  Conversation: 'محادثة',
  Transcript: 'نص المحادثة',
  'Only the newest messages are shown.': 'تظهر أحدث الرسائل فقط.',
  'Only the tickets that changed last are shown.': 'تظهر أحدث التذاكر تغييرًا فقط.',
  Visitor: 'الزائر',
  Assistant: 'المساعد',
  Team: 'الفريق',
  new: 'جديدة',
  'waiting for you': 'بانتظارك',
  'waiting for the customer': 'بانتظار العميل',
  'on hold': 'معلّقة',
  closed: 'مغلقة',
  'No visitor has asked for a person yet': 'لم يطلب أي زائر التحدث مع شخص بعد',
  'Open the shop, and write “I want to talk to a person” in its chat.':
    'يُرجى فتح المتجر، وكتابة «أريد التحدث مع موظف» في محادثته.',
  'The shop': 'المتجر',
  'Choose a ticket to read its conversation': 'يُرجى اختيار تذكرة لقراءة محادثتها',
  'wait for you': 'بانتظارك',
  'wait for the customer': 'بانتظار العميل',
  'Your reply': 'ردّك',
  Reply: 'إرسال الرد',
  'More about the ticket': 'المزيد عن التذكرة',
  'Open again': 'إعادة الفتح',
  'Open again.': 'أُعيد فتحها.',
  'Put on hold': 'تعليق',
  'Put on hold.': 'تم التعليق.',
  'Close the ticket': 'إغلاق التذكرة',
  'Closed: the assistant answers again.': 'أُغلقت: يردّ المساعد من جديد.',
  verified: 'موثّق',
  'not verified': 'غير موثّق',
  'claims, without proof, to be': 'يقول بلا إثبات إنه',
  'Anonymous visitor': 'زائر مجهول',
  Priority: 'الأولوية',
  'Priority changed.': 'تغيّرت الأولوية.',
  low: 'منخفضة',
  normal: 'عادية',
  high: 'عالية',
  'Assigned to': 'مسندة إلى',
  'Assigned.': 'تم الإسناد.',
  'not assigned': 'غير مسندة',
  'Thank you: the rating was saved.': 'شكرًا، تم حفظ التقييم.',
  'How the customer found it': 'رأي العميل',
  good: 'جيد',
  bad: 'سيئ',
  'In their words': 'بكلماته',
  'Keep it': 'حفظ',
  'End the conversation': 'إنهاء المحادثة',
  'Ended.': 'انتهت.',
  'Field saved.': 'تم حفظ الحقل.',
  // The explanation of a reply.
  'Why this answer': 'سبب هذا الرد',
  'Required score': 'الدرجة المطلوبة',
  'Terms of the question': 'مصطلحات السؤال',
  'not in the knowledge': 'ليس في المعرفة',
  'Passages found': 'الفقرات التي وُجدت',
  'Nothing was found.': 'لم يوجد شيء.',
  used: 'مستخدمة',
  matching_terms: 'تطابق المصطلحات',
  // Rules of replies from earlier versions.
  several_terms: 'يطابق أكثر من مصطلح',
  one_term_of_heading: 'يطابق مصطلح واحد من العنوان',
  one_term_of_text: 'يطابق مصطلح واحد من النص',
  only_subject: 'الفقرة الوحيدة عن هذا الموضوع',
  unknown_word: 'في السؤال كلمة لا توجد في المعرفة',
  near_meaning: 'المعنى قريب',
  nothing_found: 'لم يوجد شيء',
  // The questions without an answer.
  'Questions without an answer': 'أسئلة بلا رد',
  'Every question of the last 30 days has an answer.': 'لكل أسئلة آخر 30 يومًا رد.',
  Order: 'الترتيب',
  'Most frequent first': 'الأكثر تكرارًا أولًا',
  'Newest first': 'الأحدث أولًا',
  asked: 'مرات السؤال',
  refused: 'رُفض',
  'handed over': 'حُوّل إلى الفريق',
  last: 'آخر مرة',
  'Other wordings': 'صياغات أخرى',
  'Nearest in the knowledge': 'الأقرب في المعرفة',
  'Add as a wording of this question': 'إضافة كصياغة لهذا السؤال',
  'The wording was added.': 'أُضيفت الصياغة.',
  'Answer it': 'كتابة رد',
  Question: 'السؤال',
  Answer: 'الرد',
  'Add the question': 'إضافة السؤال',
  'The question was added.': 'أُضيف السؤال.',
} as const;

export type Text = keyof typeof arabic;
export type Language = 'en' | 'ar';

/** What is not a sentence in English. */
const english: Partial<Record<Text, string>> = {
  no_role: 'Your account has no role that opens this page. Ask the person who manages the accounts.',
  former_member: 'Your membership of this team has ended. The owner can invite you again.',
  expired: 'The sign-in took too long. Try again.',
  failed: 'The sign-in has failed. Try again.',
  matching_terms: 'the terms match',
  several_terms: 'several terms match',
  one_term_of_heading: 'one term of the heading matches',
  one_term_of_text: 'one term of the text matches',
  only_subject: 'the only passage about the subject',
  unknown_word: 'the question has a word that the knowledge does not have',
  near_meaning: 'the meaning is near',
  nothing_found: 'nothing was found',
};

const storageKey = 'team-language';
let language: Language = localStorage.getItem(storageKey) === 'ar' ? 'ar' : 'en';

export const say = (text: Text): string => (language === 'ar' ? arabic[text] : (english[text] ?? text));

/** The locale of dates and numbers. The digits are European in both languages. */
export const locale = (): string | undefined => (language === 'ar' ? 'ar-u-nu-latn' : undefined);

export const currentLanguage = (): Language => language;

export const setLanguage = (next: Language): void => {
  language = next;
  localStorage.setItem(storageKey, next);
  document.documentElement.lang = next;
  document.documentElement.dir = next === 'ar' ? 'rtl' : 'ltr';
};

setLanguage(language);
