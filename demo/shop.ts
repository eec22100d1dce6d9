/** The script of the demo shop: a page of a small pottery shop with a chat, in English and Arabic. */
import '../src/index.ts';
import type { LocaleDefinition } from '../src/locale/locale-definition.ts';
import { products } from '@workspace-chat/service/catalog';
import type { DemoConfig } from './site.ts';

const texts = {
  en: {
    brand: 'Palm & Clay',
    scheme: 'Dark',
    language: 'العربية',
    signIn: 'Sign in',
    signOut: (name: string) => `${name} · Sign out`,
    eyebrow: 'Pottery studio and shop in Muscat',
    title: 'Made by hand, from the clay of the wadis',
    lead: 'Cups, bowls and burners from our own kiln, and a wheel that is free for you on most evenings. Ask us anything: opening hours, classes, an order that is on its way.',
    ask: 'Ask us',
    shop: 'From the shop',
    footer: 'A demo shop. Nothing here is for sale, and the assistant replies from the knowledge of its local service.',
    heading: 'Palm & Clay',
    greeting: 'Welcome to Palm & Clay! Ask about the shop, classes, orders or your visit.',
    consent: 'The chat keeps your messages for 24 hours. Please agree to our [privacy policy].',
    links: ['How the chat works', 'Our colors'],
    suggestions: ['How much does the clay shrink?', 'Talk to a person'],
    teaser: 'A cup with your name on it? We make it for you.',
    starters: ['When are you open?', 'How much is a wheel class?', 'Do you ship to Dubai?'],
  },
  ar: {
    brand: 'نخيل وطين',
    scheme: 'داكن',
    language: 'English',
    signIn: 'تسجيل الدخول',
    signOut: (name: string) => `${name} · تسجيل الخروج`,
    eyebrow: 'استوديو ومتجر للفخار في مسقط',
    title: 'صُنعت باليد من طين الأودية',
    lead: 'فناجين وأوعية ومباخر من فرننا، ودولاب خزف ينتظرك معظم المساءات. نرد على كل سؤال: أوقات العمل أو الدورات أو طلبك الذي في الطريق إليك.',
    ask: 'طرح سؤال',
    shop: 'من المتجر',
    footer: 'هذا متجر تجريبي لا يبيع شيئًا، والمساعد يرد من معرفة الخدمة المحلية.',
    heading: 'نخيل وطين',
    greeting: 'أهلًا بك في «نخيل وطين»! يمكنك السؤال عن المتجر أو الدورات أو الطلبات أو زيارتنا.',
    consent: 'تُحفظ رسائلك في المحادثة لمدة 24 ساعة. يُرجى الموافقة على [سياسة الخصوصية].',
    links: ['كيف تعمل المحادثة', 'ألواننا'],
    suggestions: ['كم ينكمش الطين؟', 'التحدث مع شخص'],
    teaser: 'كوب يحمل اسمك؟ نصنعه لك.',
    starters: ['متى تفتحون؟', 'كم سعر حصة الدولاب؟', 'هل تشحنون إلى دبي؟'],
  },
};

/** What the shop's server says of an order, in the language of the page. */
const orders = {
  en: {
    shipped: { status: 'shipped', carrier: 'Oman Post', expected: 'in two days' },
    inTheKiln: { status: 'in the kiln', expected: 'next Thursday' },
  },
  ar: {
    shipped: { status: 'تم الشحن', carrier: 'بريد عُمان', expected: 'خلال يومين' },
    inTheKiln: { status: 'في الفرن', expected: 'الخميس القادم' },
  },
};

type Language = keyof typeof texts;

const chat = document.createElement('workspace-chat');
chat.launcherSelector = '[data-chat]';
chat.avatar = 'avatar.svg';
chat.shortcut = 'Alt+C';
chat.notify = true;
chat.teamHours = {
  timeZone: 'Asia/Muscat',
  hours: {
    sun: ['09:00-17:00'],
    mon: ['09:00-17:00'],
    tue: ['09:00-17:00'],
    wed: ['09:00-17:00'],
    thu: ['09:00-17:00'],
  },
};
const list = document.querySelector('#products')!;

const renderProducts = (language: Language): void => {
  const price = new Intl.NumberFormat(language === 'ar' ? 'ar-OM-u-nu-latn' : 'en-OM', {
    style: 'currency',
    currency: 'OMR',
  });
  const cards = products.map((product) => {
    const [name, description] =
      language === 'ar' ? [product.nameAr, product.descriptionAr] : [product.nameEn, product.descriptionEn];
    const card = document.createElement('article');
    card.className = 'product';
    card.id = product.id;
    const element = (tag: string, className: string, text = '') =>
      Object.assign(document.createElement(tag), { className, textContent: text });
    const about = element('div', 'about');
    about.append(
      element('h3', '', name),
      element('p', '', description),
      element('p', 'price', price.format(product.price)),
    );
    card.append(element('div', 'art'), about);
    return card;
  });
  list.replaceChildren(...cards);
};

/** The name of the customer who is signed in. The shop's own server proves the identity with a token. */
let customer: string | null = null;
const customerButton = document.querySelector<HTMLButtonElement>('#customer')!;

const renderCustomer = (): void => {
  const text = texts[currentLanguage()];
  customerButton.textContent = customer === null ? text.signIn : text.signOut(customer.split(' ')[0]!);
};

const readProof = async (): Promise<{ token: string } | null> => {
  const response = await fetch('/host/identity-token');
  if (response.status === 401) return null; // nobody is signed in
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
};

const updateCustomer = async (): Promise<void> => {
  ({ name: customer } = (await (await fetch('/host/session')).json()) as { name: string | null });
  // Only for a customer, whose session the shop's server knows.
  chat.historyUrl = customer === null ? null : '/host/history';
  chat.identify(customer === null ? null : readProof);
  customerButton.hidden = false;
  renderCustomer();
};

customerButton.addEventListener('click', async () => {
  const isLeaving = customer !== null;
  await fetch('/host/session', { method: isLeaving ? 'DELETE' : 'POST' });
  if (isLeaving) await chat.logout();
  await updateCustomer();
});

const setLanguage = (language: Language): void => {
  const root = document.documentElement;
  root.lang = language;
  root.dir = language === 'ar' ? 'rtl' : 'ltr';
  const text = texts[language];
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    element.textContent = text[element.dataset['text'] as 'brand'];
  }
  chat.heading = text.heading;
  chat.greeting = text.greeting;
  chat.starters = text.starters;
  renderProducts(language);
  renderCustomer();
  sessionStorage.setItem('language', language);
};

const currentLanguage = (): Language => (document.documentElement.lang === 'ar' ? 'ar' : 'en');

document
  .querySelector('#language')!
  .addEventListener('click', () => setLanguage(currentLanguage() === 'ar' ? 'en' : 'ar'));
document.querySelector('#scheme')!.addEventListener('click', () => {
  const isDark = document.documentElement.style.colorScheme === 'dark';
  document.documentElement.style.colorScheme = isDark ? 'light' : 'dark';
  chat.colorScheme = isDark ? 'light' : 'dark';
});

chat.registerTool<{ order_number: string }>({
  name: 'get_order_status',
  description: 'The status of an order of the shop',
  title: { en: 'Order status', ar: 'حالة الطلب' },
  labels: { order_number: { en: 'Order number', ar: 'رقم الطلب' } },
  run: ({ order_number }) => {
    // A real shop asks its own server here, in the session of the customer.
    const isShipped = Number(order_number.replace(/\D/g, '')) % 2 === 1;
    return { order_number, ...orders[currentLanguage()][isShipped ? 'shipped' : 'inTheKiln'] };
  },
});

chat.registerTool<{ product_id: string }>({
  name: 'show_product',
  description: 'Shows a product of the page',
  title: { en: 'Product on this page', ar: 'المنتج في هذه الصفحة' },
  run: ({ product_id }) => {
    const card = document.getElementById(product_id);
    if (!card) return { shown: false };
    for (const shown of document.querySelectorAll('.shown')) shown.classList.remove('shown');
    card.classList.add('shown');
    card.scrollIntoView({ block: 'center', behavior: 'smooth' });
    return { shown: true };
  },
});

chat.addEventListener('workspace-chat-rating', ({ conversationId, rating, comment }) => {
  void fetch('/host/rating', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ conversation_id: conversationId, rating, comment }),
  });
});

/** What a site can offer besides, on the address `?offers`: consent, pages to read, suggestions, and a teaser with a rule. */
const offer = (): void => {
  const { consent, links, suggestions, teaser } = texts[currentLanguage()];
  chat.consent = { text: consent, url: 'docs/security.html', version: '1' };
  chat.links = links.map((label, index) => ({ label, url: ['docs/', 'theming.html'][index]! }));
  chat.addEventListener('workspace-chat-message', () => chat.suggest(suggestions));
  chat.teaser = teaser;
  chat.teaserWhen = 'scroll:40% time:3s';
};

const locales = import.meta.glob<{ default: LocaleDefinition }>('../src/locale/added/*.ts');

/** Shows the chat in another language of the package, on an address such as `?locale=de`. */
const setLocale = async (locale: string): Promise<void> => {
  const load = locales[`../src/locale/added/${locale}.ts`];
  if (!load) return;
  chat.registerLocale(locale, (await load()).default);
  chat.locale = locale;
};

const parameters = new URLSearchParams(location.search);
const requestedLanguage = parameters.get('lang') ?? sessionStorage.getItem('language');
setLanguage(requestedLanguage === 'ar' ? 'ar' : 'en');
if (parameters.has('offers')) offer();
void setLocale(parameters.get('locale') ?? '');

const response = await fetch('/config.json');
const { signIn, ...config } = (await response.json()) as DemoConfig;
Object.assign(chat, config);
// Identify before the chat is added, so that it never shows a conversation of another customer.
if (signIn) await updateCustomer();
document.body.append(chat);
