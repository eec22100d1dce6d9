/** The fixed sentences of the replies, in both languages. */
import type { Language } from '../core/language.ts';

const english = {
  greeting: (name: string) => `Hello, and welcome to ${name}! What can I help you with?`,
  welcomeBack: (name: string) => `Welcome back, ${name}! What can I help you with this time?`,
  monthFull:
    'I have answered as many conversations as I can this month. Please write to the team by e-mail, and they will get back to you.',
  thanks: 'You’re welcome! Is there anything else you would like to know?',
  goodbye: 'Goodbye, and see you soon!',
  howAreYou: 'Very well, thank you! What can I help you with?',
  whoAreYou: (name: string) =>
    `I’m the assistant of ${name}. Ask me a question, and I can ask a person of the team in whenever you like.`,
  handoffRequested: 'While you wait for the team, ask me anything else: I’ll answer what I can.',
  handoffStillRequested: 'A person of the team has already been asked and will join as soon as they can.',
  refused: (topics: string) =>
    topics === ''
      ? 'I’m sorry, I have no answer to that. You can put it another way, or ask me for a person.'
      : `I’m sorry, I have no answer to that. You can put it another way, ask me for a person, or write, for example: ${topics}.`,
  refusedWhileWaiting:
    'I’m sorry, I have no answer to that, but a person of the team has been asked and will see your question.',
  orderNumber: 'Gladly. What is your order number?',
  orderUnreachable:
    'I could not look your order up just now. Please try again in a moment, or ask me for a person who can check it.',
  orderUnknown: (number: string) => `I found no order with the number ${number}. Is the number right?`,
  orderStatus: (number: string, status: string) => `Your order ${number}: **${status}**.`,
  orderTitle: (number: string) => `Order ${number}`,
  orderRows: {
    carrier: 'Carrier',
    expected: 'Expected',
    items: 'Items',
    total: 'Total',
    placed_at: 'Ordered',
    shipped_at: 'Sent',
    delivered_at: 'Delivered',
    tracking_number: 'Tracking number',
    address: 'Address',
    payment: 'Payment',
  } as Record<string, string>,
  actionDone: 'Done. This is the result.',
  actionWaiting: 'I have passed your request to the team. It will be carried out once one of them has approved it.',
  actionUnconfirmed:
    'I sent your request, but I could not find out whether it worked. Please do not repeat it: ask me for a person who can check it.',
  actionFailed: 'I could not do that just now. Please try again in a moment, or ask me for a person.',
  done: 'Done',
  form: 'With pleasure. Fill in this form and the team will get back to you:',
  submit: 'Send',
  formSubmitted: (name: string) =>
    name === ''
      ? 'Thank you! Your request is with the team, who will get back to you.'
      : `Thank you, ${name}! Your request is with the team, who will get back to you.`,
  formMissing: (labels: string) => `Almost there. I still need: ${labels}.`,
  formInvalid: (labels: string) => `Please check: ${labels}.`,
  times: (title: string) => `These are the next free times for the **${title}**. Which one suits you?`,
  booked: (title: string, when: string) => `You are booked: **${title}** on ${when}.`,
  timeGone: 'That time is no longer free. These are the next ones:',
  bookingTitle: 'Booking',
  bookingStatus: 'Reserved',
  products: 'Here is what I found:',
  noPrice: 'price on request',
  productShown: (name: string) => `I have opened **${name}** on the page for you.`,
  productChosen: (name: string, price: string, description: string) => `**${name}**, ${price}. ${description}`,
  topics: 'What would you like to know?',
  when: 'When',
  where: 'Where',
};

export type Sentences = typeof english;

/** Returns a name for an Arabic sentence, after a preposition. A name in Latin letters is left out. */
const arabicName = (name: string, preposition: string): string =>
  /\p{Script=Arabic}/u.test(name) ? `${preposition}«${name}»` : '';

const arabic: Sentences = {
  greeting: (name) => `أهلًا وسهلًا بك${arabicName(name, ' في ')}! كيف أساعدك؟`,
  welcomeBack: (name) => `أهلًا بعودتك يا ${name}! كيف أساعدك هذه المرة؟`,
  monthFull: 'بلغت الحد الأقصى من المحادثات لهذا الشهر. يُرجى مراسلة الفريق بالبريد الإلكتروني.',
  thanks: 'على الرحب والسعة! هل من شيء آخر تود معرفته؟',
  goodbye: 'مع السلامة، ونراك قريبًا!',
  howAreYou: 'بخير والحمد لله، شكرًا لسؤالك! كيف أساعدك؟',
  whoAreYou: (name) =>
    `أنا المساعد الآلي${arabicName(name, ' في ')}. أردّ على أسئلتك، وأستطيع دعوة أحد من الفريق عند الحاجة.`,
  handoffRequested: 'يمكنك أن تسألني عن أي شيء آخر بانتظار أحد أعضاء الفريق، وسأرد بما أعرفه.',
  handoffStillRequested: 'سبق أن أبلغنا الفريق، وسينضم إليك أحدهم في أقرب وقت.',
  refused: (topics) =>
    topics === ''
      ? 'عذرًا، لا أملك ردًا على هذا. يُرجى تجربة صياغة أخرى، أو طلب التحدث إلى أحد من الفريق.'
      : `عذرًا، لا أملك ردًا على هذا. يُرجى تجربة صياغة أخرى، أو طلب التحدث إلى أحد من الفريق، أو كتابة سؤال مثل: ${topics}.`,
  refusedWhileWaiting: 'عذرًا، لا أملك ردًا على هذا، لكننا أبلغنا الفريق وسيطّلع أحدهم على سؤالك.',
  orderNumber: 'بكل سرور. ما رقم طلبك؟',
  orderUnreachable: 'تعذّر عليّ الاطلاع على طلبك الآن. يُرجى إعادة المحاولة بعد قليل، أو طلب أحد من الفريق للتحقق منه.',
  orderUnknown: (number) => `لم أجد طلبًا بالرقم ${number}. هل الرقم صحيح؟`,
  orderStatus: (number, status) => `طلبك رقم ${number}: **${status}**.`,
  orderTitle: (number) => `الطلب ${number}`,
  orderRows: {
    carrier: 'شركة الشحن',
    expected: 'الوصول المتوقع',
    items: 'المنتجات',
    total: 'الإجمالي',
    placed_at: 'تاريخ الطلب',
    shipped_at: 'تاريخ الإرسال',
    delivered_at: 'تاريخ التسليم',
    tracking_number: 'رقم التتبع',
    address: 'العنوان',
    payment: 'الدفع',
  },
  actionDone: 'تم. وهذه هي النتيجة:',
  actionWaiting: 'أرسلت طلبك إلى الفريق، وسيُنفّذ بعد أن يوافق عليه أحدهم.',
  actionUnconfirmed:
    'أرسلت طلبك، لكن تعذّر التأكد من تنفيذه. يُرجى عدم تكراره، وطلب التحدث إلى أحد من الفريق للتحقق منه.',
  actionFailed: 'تعذّر تنفيذ ذلك الآن. يُرجى إعادة المحاولة بعد قليل، أو طلب التحدث إلى أحد من الفريق.',
  done: 'تم',
  form: 'بكل سرور. يُرجى تعبئة هذا النموذج وسيتواصل معك الفريق:',
  submit: 'إرسال',
  formSubmitted: (name) =>
    name === ''
      ? 'شكرًا لك! وصل طلبك إلى الفريق، وسيتواصل معك.'
      : `شكرًا لك يا ${name}! وصل طلبك إلى الفريق، وسيتواصل معك.`,
  formMissing: (labels) => `بقيت خانات مطلوبة: ${labels}.`,
  formInvalid: (labels) => `يُرجى التحقق من: ${labels}.`,
  times: (title) => `هذه أقرب المواعيد المتاحة لـ**${title}**. أيها يناسبك؟`,
  booked: (title, when) => `تم الحجز: **${title}**، ${when}.`,
  timeGone: 'لم يعد هذا الموعد متاحًا. هذه أقرب المواعيد:',
  bookingTitle: 'الحجز',
  bookingStatus: 'تم الحجز',
  products: 'هذا ما وجدته:',
  noPrice: 'السعر عند الطلب',
  productShown: (name) => `فتحت لك **${name}** في الصفحة.`,
  // The Omani rial ends with a stop of its own.
  productChosen: (name, price, description) => `**${name}**، ${price}${price.endsWith('.') ? '' : '.'} ${description}`,
  topics: 'ماذا تود أن تعرف؟',
  when: 'الموعد',
  where: 'المكان',
};

export const sentences: Record<Language, Sentences> = { en: english, ar: arabic };
