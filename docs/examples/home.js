// The chat of the home page: a status card, and starters for more.
const texts = {
  en: {
    heading: 'Palm & Clay',
    first: 'Where is my order 1042?',
    status: 'It left our studio this morning.',
    title: 'Order 1042',
    shipped: 'Shipped',
    rows: [
      ['Arrives', 'Monday'],
      ['To', 'Amman'],
    ],
    options: ['When are you open?', 'What is this chat?'],
    hours: 'We are open from **9 to 6**, Sunday to Thursday.',
    about: 'The real widget, with the fake service of `workspace-chat/testing`: nothing leaves this page.',
  },
  ar: {
    heading: 'نخيل وطين',
    first: 'أين طلبي 1042؟',
    status: 'غادر الاستوديو هذا الصباح.',
    title: 'الطلب 1042',
    shipped: 'شُحن',
    rows: [
      ['الوصول', 'الاثنين'],
      ['إلى', 'عمّان'],
    ],
    options: ['متى تفتحون؟', 'ما هذه المحادثة؟'],
    hours: 'نفتح من **9 إلى 6** من الأحد إلى الخميس.',
    about: 'هذه هي نافذة المحادثة الحقيقية مع خدمة تجريبية، ولا يغادر شيء هذه الصفحة.',
  },
};
const text = texts[document.documentElement.lang] ?? texts.en;
const options = { type: 'options', options: text.options.map((label) => ({ label })) };
const card = {
  type: 'status_card',
  title: text.title,
  status: text.shipped,
  tone: 'success',
  rows: text.rows.map(([label, value]) => ({ label, value })),
};
globalThis.respond = (message) => {
  if (message === text.first) return { text: text.status, blocks: [card, options] };
  return message === text.options[0] ? text.hours : text.about;
};
chat.heading = text.heading;
addEventListener('example-ready', () => chat.send(text.first));
