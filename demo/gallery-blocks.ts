/** The sample blocks and texts of the gallery's scenes. */
import type { Block, FormBlock } from '../contract/wire.ts';
import { reply, type Say } from './gallery-messages.ts';

/** The options of a field are in one language, so the gallery has none in words of either. */
const sizes = ['S', 'M', 'L'];

export const form: FormBlock = {
  type: 'form',
  title: { en: 'Your custom order', ar: 'طلبك الخاص' },
  submit_label: { en: 'Send the request', ar: 'إرسال الطلب' },
  fields: [
    { key: 'name', label_en: 'Name', label_ar: 'الاسم', kind: 'text', options: [], required: true },
    { key: 'phone', label_en: 'Phone', label_ar: 'الهاتف', kind: 'phone', options: [], required: true },
    {
      key: 'email',
      label_en: 'E-mail',
      label_ar: 'البريد الإلكتروني',
      kind: 'email',
      options: [],
      required: false,
      placeholder: 'name@example.com',
    },
    {
      key: 'website',
      label_en: 'Website',
      label_ar: 'الموقع الإلكتروني',
      kind: 'text',
      options: [],
      required: false,
      placeholder: 'www.example.com',
    },
    {
      key: 'size',
      label_en: 'Size',
      label_ar: 'المقاس',
      kind: 'select',
      options: sizes,
      required: true,
    },
    { key: 'count', label_en: 'How many', label_ar: 'العدد', kind: 'number', options: [], required: false },
    { key: 'until', label_en: 'Needed by', label_ar: 'مطلوب قبل', kind: 'date', options: [], required: false },
  ],
};

export const formReply = (say: Say, submitted: readonly string[] = []) =>
  reply(say('Gladly. Tell us a little about it:', 'بكل سرور. يُرجى كتابة بعض التفاصيل:'), [form], submitted);

export const filled = (say: Say): Record<string, string> => ({
  name: say('Salim Al Harthy', 'سالم الحارثي'),
  phone: '+968 9212 3456',
  email: 'salim@',
  size: 'M',
  count: '12',
  until: '2026-04-01',
});

export const options = (say: Say): Block[] => [
  {
    type: 'options',
    prompt: say('What is it about?', 'عمَّ تسأل؟'),
    options: [
      { label: say('Opening hours', 'أوقات العمل'), value: say('When are you open?', 'متى تفتحون؟') },
      { label: say('A class', 'حصة'), description: say('On the wheel, for beginners', 'على الدولاب، للمبتدئين') },
      { label: say('An order', 'طلب') },
    ],
  },
];

export const day = 24 * 3_600_000;
export const slots = (days: number, place: string): Block[] => [
  {
    type: 'open_times',
    title: { en: 'Beginners’ wheel class', ar: 'حصة الدولاب للمبتدئين' },
    timezone: place,
    times: Array.from({ length: days * 3 }, (_, index) => {
      const start = Date.parse('2026-03-07T06:00:00Z') + Math.floor(index / 3) * day + (index % 3) * 4 * 3_600_000;
      return { start: new Date(start).toISOString(), end: new Date(start + 5_400_000).toISOString() };
    }),
  },
];

export const cards: Block[] = [
  {
    type: 'status_card',
    title: { en: 'Order 1042', ar: 'الطلب 1042' },
    status: { en: 'On its way', ar: 'في الطريق إليك' },
    tone: 'info',
    rows: [
      { label: { en: 'Carrier', ar: 'شركة الشحن' }, value: { en: 'Oman Post', ar: 'بريد عُمان' } },
      { label: { en: 'Tracking number', ar: 'رقم التتبع' }, value: 'EE123456789OM' },
    ],
    updated_at: new Date(Date.now() - 2.2 * 3_600_000).toISOString(),
    url: 'https://shop.example/orders/1042',
  },
  {
    type: 'status_card',
    title: { en: 'Beginners’ wheel class', ar: 'حصة الدولاب للمبتدئين' },
    status: { en: 'Booked', ar: 'تم الحجز' },
    tone: 'success',
    rows: [
      { label: { en: 'When', ar: 'الموعد' }, value: { en: 'Saturday 7 March, 10:00', ar: 'السبت 7 مارس، 10:00' } },
    ],
  },
  {
    type: 'status_card',
    title: { en: 'Firing', ar: 'الحرق في الفرن' },
    status: { en: 'Delayed by a day', ar: 'تأخر يومًا' },
    tone: 'warning',
  },
  {
    type: 'status_card',
    title: { en: 'Payment', ar: 'الدفع' },
    status: { en: 'Declined', ar: 'مرفوض' },
    tone: 'danger',
  },
];

export const products: Block = {
  type: 'products',
  items: [
    {
      id: 'prd_cup',
      name: { en: 'Coffee cup', ar: 'فنجان قهوة' },
      description: { en: 'Small, for Omani coffee', ar: 'صغير، للقهوة العُمانية' },
      price: 4.5,
      currency: 'OMR',
      availability: 'in_stock',
      image_url: 'https://images.example/cup.jpg',
      url: 'https://shop.example/cup',
    },
    {
      id: 'prd_mug',
      name: { en: 'Palm mug', ar: 'كوب النخلة' },
      description: { en: 'Large, with a palm drawn by hand', ar: 'كبير، عليه نخلة مرسومة باليد' },
      price: 7,
      currency: 'OMR',
      availability: 'preorder',
    },
    {
      id: 'prd_burner',
      name: { en: 'Incense burner', ar: 'مبخرة' },
      price: 12,
      currency: 'CLAY',
      availability: 'out_of_stock',
    },
  ],
};

export const markdown = (say: Say): string =>
  say(
    'We are open **Saturday to Thursday**:\n\n| Day | Hours |\n| --- | --- |\n| Sat–Wed | 10:00–20:00 |\n| Thu | 10:00–14:00 |\n\n1. Park behind the studio.\n2. Ring at the blue door.\n\n> Closed on *public holidays*.',
    'نفتح **من السبت إلى الخميس**:\n\n| اليوم | الساعات |\n| --- | --- |\n| السبت–الأربعاء | 10:00–20:00 |\n| الخميس | 10:00–14:00 |\n\n1. أوقف سيارتك خلف الاستوديو.\n2. اقرع الجرس عند الباب الأزرق.\n\n> نغلق في *العطل الرسمية*.',
  );

export const formulasAndCode = (say: Say): string =>
  `${say('For a price $p$ and $n$ cups, the sum is', 'إذا كان السعر $p$ وعدد الأكواب $n$ فإن المجموع هو')}

$$
s = \\sum_{i=1}^{n} p_i \\left(1 - \\frac{d}{100}\\right)
$$

${say('A cup costs $5, two cost $9:', 'سعر الكوب $5 والكوبين $9:')}

\`\`\`ts
// The sum of an order.
export const sum = (prices: number[], discount = 10): string =>
  \`\${prices.reduce((a, b) => a + b, 0) * (1 - discount / 100)} OMR\`;
\`\`\``;

export const wideTable = (say: Say): string =>
  say(
    `These classes have room:

| Class | Day | Time | Length | Places | Price | Teacher |
|---|---|---|---|--:|--:|---|
| Wheel for beginners | Saturday | 10:00 | 90 minutes | 3 | 18 OMR | Salma |
| Handbuilding | Monday | 17:30 | 2 hours | 5 | 15 OMR | Khalid |`,
    `الحصص التي فيها أماكن:

| الحصة | اليوم | الوقت | المدة | الأماكن | السعر | المدرّب |
|---|---|---|---|--:|--:|---|
| الدولاب للمبتدئين | السبت | 10:00 صباحًا | 90 دقيقة | 3 | 18 ر.ع. | سلمى |
| التشكيل اليدوي | الاثنين | 5:30 مساءً | ساعتان | 5 | 15 ر.ع. | خالد |`,
  );
