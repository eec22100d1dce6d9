/** The scenes of the gallery: conversations, built from events. */
import type { Block, FormBlock } from '../contract/wire.ts';
import type { ChatEvent } from '../src/chat/state/chat-event.ts';
import {
  formDraftKey,
  type AgentMessage,
  type ChatMessage,
  type Problem,
  type ToolRun,
  type VisitorMessage,
} from '../src/chat/state/state.ts';

export type Language = 'en' | 'ar';

export interface Scene {
  id: string;
  title: string;
  /** Shows the whole panel instead of its messages. */
  isPanel?: boolean;
  /** Submits the form once, so that its errors are shown. */
  isChecked?: boolean;
  events: (say: Say) => ChatEvent[];
}

/** Returns the text in the language of the conversation. */
type Say = (en: string, ar: string) => string;

const at = Date.parse('2026-03-04T10:24:00+04:00');

const visitor = (text: string, delivery: VisitorMessage['delivery'] = 'confirmed'): VisitorMessage => ({
  role: 'user',
  key: text,
  text,
  at,
  delivery,
});

const agent = (key: string, text: string, fields: Partial<AgentMessage> = {}): AgentMessage => ({
  role: 'assistant',
  key,
  id: key,
  text,
  at,
  actor: 'ai',
  ending: 'whole',
  sources: [],
  blocks: [],
  tools: [],
  outcome: 'answered',
  refused: false,
  limit: null,
  degraded: false,
  ...fields,
});

const restored = (messages: ChatMessage[], submitted: Record<string, string> = {}): ChatEvent => ({
  type: 'restored',
  conversation: { messages, conversationId: 'cnv_gallery', state: 'ai_active', unread: 0, submitted },
  draft: '',
  formDrafts: {},
});

const nothing: Record<string, string> = {};

/**
 * Creates a reply with blocks.
 * @param submitted The message that each block has sent.
 */
const reply = (text: string, blocks: Block[], submitted: readonly string[] = []): ChatEvent[] => {
  const sent = submitted.map((each, index) => [formDraftKey('a', index), each]);
  return [restored([agent('a', text, { blocks })], sent.length > 0 ? Object.fromEntries(sent) : nothing)];
};

const sent = (message: VisitorMessage): ChatEvent[] => [restored([]), { type: 'turn-sent', message }];

const failed = (say: Say, code: string, delivery: VisitorMessage['delivery']): ChatEvent[] => {
  const problem: Problem = { code, status: 0, requestId: '', detail: '' };
  return [
    ...sent(visitor(say('Do you ship to Dubai?', 'هل تشحنون إلى دبي؟'))),
    { type: 'turn-failed', problem, delivery },
  ];
};

const waiting = (say: Say, reason: 'rate_limited' | 'offline' | 'other_tab'): ChatEvent[] => [
  ...sent(visitor(say('Do you ship to Dubai?', 'هل تشحنون إلى دبي؟'))),
  { type: 'turn-delayed', reason, until: reason === 'rate_limited' ? Date.now() + 50_000 : null },
];

const streaming = (say: Say): ChatEvent[] => [
  ...sent(visitor(say('When are you open?', 'متى تفتحون؟'))),
  { type: 'reply-started', key: 'a', at },
];

const run = (phase: ToolRun['phase'], name: string): ToolRun => ({ callId: name, name, phase });

const form: FormBlock = {
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
      key: 'what',
      label_en: 'What to make',
      label_ar: 'ما الذي تريده',
      kind: 'select',
      options: ['☕ Cups', '🍲 Bowls'],
      required: true,
    },
    { key: 'count', label_en: 'How many', label_ar: 'العدد', kind: 'number', options: [], required: false },
    { key: 'until', label_en: 'Needed by', label_ar: 'مطلوب قبل', kind: 'date', options: [], required: false },
  ],
};

const formReply = (say: Say, submitted: readonly string[] = []) =>
  reply(say('Gladly. Tell us a little about it:', 'بكل سرور. أخبرنا قليلًا عنه:'), [form], submitted);

const filled = (say: Say): Record<string, string> => ({
  name: say('Salim Al Harthy', 'سالم الحارثي'),
  phone: '+968 9212 3456',
  email: 'salim@',
  what: '☕ Cups',
  count: '12',
  until: '2026-04-01',
});

const options = (say: Say): Block[] => [
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

const day = 24 * 3_600_000;
const slots = (days: number, place: string): Block[] => [
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

const cards: Block[] = [
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

const products: Block = {
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

const markdown = (say: Say): string =>
  say(
    'We are open **Saturday to Thursday**:\n\n| Day | Hours |\n| --- | --- |\n| Sat–Wed | 10:00–20:00 |\n| Thu | 10:00–14:00 |\n\n1. Park behind the studio.\n2. Ring at the blue door.\n\n> Closed on public holidays.',
    'نفتح **من السبت إلى الخميس**:\n\n| اليوم | الساعات |\n| --- | --- |\n| السبت–الأربعاء | 10:00–20:00 |\n| الخميس | 10:00–14:00 |\n\n1. أوقف سيارتك خلف الاستوديو.\n2. اقرع الجرس عند الباب الأزرق.\n\n> نغلق في العطل الرسمية.',
  );

export const scenes: Scene[] = [
  {
    id: 'answer',
    title: 'A question and its reply, with sources',
    events: (say) => [
      restored([
        visitor(say('When are you open?', 'متى تفتحون؟')),
        agent('a', markdown(say), {
          sources: [
            {
              file_id: 'f1',
              filename: 'visiting.md',
              title: say('Visiting', 'الزيارة'),
              url: 'https://shop.example/visit',
            },
            { file_id: 'f2', filename: 'shop.md' },
          ],
        }),
      ]),
    ],
  },
  {
    id: 'thinking',
    title: 'Waiting for the first text, and a streamed reply',
    events: (say) => [
      ...streaming(say),
      { type: 'text-added', text: say('We are open **Saturday to Thu', 'نفتح **من السبت إلى الخم') },
    ],
  },
  { id: 'sending', title: 'Before the first text', events: (say) => streaming(say) },
  {
    id: 'tools',
    title: 'Client tools: confirmation, running, done',
    events: (say) => [
      ...streaming(say),
      ...(['answered', 'failed', 'refused', 'running'] as const).map((phase): ChatEvent => ({
        type: 'tool-changed',
        run: run(phase, `look_up_${phase}`),
      })),
      {
        type: 'tool-changed',
        run: { ...run('asked', 'cancel_order'), values: [['order_number', '1042']], question: null },
      },
    ],
  },
  {
    id: 'unconfirmed',
    title: 'A message that may have arrived',
    events: (say) => failed(say, 'network', 'unconfirmed'),
  },
  { id: 'unsent', title: 'A message that was not accepted', events: (say) => failed(say, 'rate_limited', 'unsent') },
  {
    id: 'endings',
    title: 'Replies with other endings',
    events: (say) => [
      restored([
        agent('a', say('We are open from Saturday to', 'نفتح من السبت إلى'), { ending: 'interrupted' }),
        agent('b', say('We are open', 'نفتح'), { ending: 'stopped' }),
        agent('c', say('I can only help with the studio.', 'أستطيع المساعدة في أمور الاستوديو فقط.'), {
          outcome: 'refused',
        }),
        agent('d', say('Come and see us!', 'زورونا!'), { degraded: true, limit: 'monthly' }),
      ]),
    ],
  },
  {
    id: 'people',
    title: 'A person joins, replies and leaves',
    events: (say) => [
      restored([
        { role: 'notice', key: 'n1', at, code: 'handoff' },
        { role: 'notice', key: 'n2', at, code: 'joined' },
        agent('a', say('Hello, this is Maryam. How can I help?', 'أهلًا، معك مريم. كيف أساعدك؟'), { actor: 'owner' }),
        { role: 'notice', key: 'n3', at, code: 'returned' },
        { role: 'notice', key: 'n4', at, code: 'closed' },
        { role: 'notice', key: 'n5', at, code: 'restarted' },
        { role: 'notice', key: 'n6', at, code: 'unlinked' },
      ]),
    ],
  },
  { id: 'options', title: 'Options', events: (say) => reply(say('Hello!', 'أهلًا!'), options(say)) },
  {
    id: 'options-chosen',
    title: 'Options, one chosen',
    events: (say) => reply(say('Hello!', 'أهلًا!'), options(say), [say('A class', 'حصة')]),
  },
  { id: 'form', title: 'Form', events: (say) => formReply(say) },
  {
    id: 'form-filled',
    title: 'Form, filled in, with errors',
    isChecked: true,
    events: (say) => [
      ...formReply(say),
      { type: 'form-drafted', key: formDraftKey('a', 0), draft: { ...filled(say), name: '' } },
    ],
  },
  {
    id: 'form-sent',
    title: 'Form, submitted',
    events: (say) => {
      const { name, phone } = filled(say);
      const lines = say(
        `Name: ${name}\nPhone: ${phone}\nWhat to make: ☕ Cups\nHow many: 12\nNeeded by: 2026-04-01`,
        `الاسم: ${name}\nالهاتف: ${phone}\nما الذي تريده: ☕ Cups\nالعدد: 12\nمطلوب قبل: 2026-04-01`,
      );
      return formReply(say, [lines]);
    },
  },
  {
    id: 'form-secret',
    title: 'Form with forbidden fields',
    events: () =>
      reply('', [
        {
          ...form,
          fields: [
            form.fields[0]!,
            {
              key: 'pass',
              label_en: 'Password',
              label_ar: 'كلمة المرور',
              kind: 'password',
              options: [],
              required: true,
            },
            {
              key: 'card',
              label_en: 'Card number',
              label_ar: 'رقم البطاقة',
              kind: 'text',
              options: [],
              required: true,
            },
          ],
        },
      ]),
  },
  {
    id: 'times',
    title: 'Open times',
    events: (say) => reply(say('These are free:', 'هذه المواعيد متاحة:'), slots(2, '')),
  },
  {
    id: 'times-abroad',
    title: 'Open times, many, in another time zone',
    events: (say) => reply(say('These are free:', 'هذه المواعيد متاحة:'), slots(6, 'Pacific/Auckland')),
  },
  {
    id: 'times-chosen',
    title: 'Open times, one chosen',
    events: (say) =>
      reply('', slots(2, ''), [
        say(
          'Saturday, 7 March 2026 at 10:00\n2026-03-07T06:00:00.000Z',
          'السبت، 7 مارس 2026 في 10:00 ص\n2026-03-07T06:00:00.000Z',
        ),
      ]),
  },
  { id: 'cards', title: 'Status cards', events: () => reply('', cards) },
  {
    id: 'products',
    title: 'Products',
    events: (say) => reply(say('Have a look:', 'ألقِ نظرة:'), [products]),
  },
  {
    id: 'products-chosen',
    title: 'Products, one chosen',
    events: (say) => reply('', [products], [say('Palm mug prd_mug', 'كوب النخلة prd_mug')]),
  },
  {
    id: 'links',
    title: 'Links',
    events: () =>
      reply('', [
        {
          type: 'links',
          links: [
            {
              label: { en: 'Visiting us', ar: 'زيارتنا' },
              url: 'https://shop.example/visit',
              description: { en: 'The way, parking, and the blue door', ar: 'الطريق والمواقف والباب الأزرق' },
            },
            { label: { en: 'Write to us', ar: 'راسلنا' }, url: 'mailto:hello@shop.example' },
            { label: { en: 'A link that leads nowhere safe', ar: 'رابط لا يؤتمن' }, url: 'javascript:alert(1)' },
          ],
        },
      ]),
  },
  {
    id: 'unknown',
    title: 'Unknown and malformed blocks: their text and their links',
    events: (say) =>
      reply('', [
        {
          type: 'unknown',
          name: 'carousel',
          original: {
            type: 'carousel',
            title: say('This week', 'هذا الأسبوع'),
            slides: [
              { label: say('New glazes', 'ألوان تزجيج جديدة'), url: 'https://shop.example/glazes' },
              { text: say('The kiln is open on Tuesday.', 'يُفتح الفرن يوم الثلاثاء.') },
            ],
          },
        },
        {
          type: 'unknown',
          name: 'form',
          original: { type: 'form', title: say('A form without fields', 'نموذج بلا حقول'), fields: [] },
        },
      ]),
  },
  {
    id: 'own',
    title: 'A block with the page’s own renderer',
    events: (say) =>
      reply('', [
        {
          type: 'unknown',
          name: 'kiln',
          original: { type: 'kiln', degrees: 980, text: say('The kiln is at', 'حرارة الفرن الآن') },
        },
      ]),
  },
  { id: 'panel-fresh', title: 'The panel, before the first message', isPanel: true, events: () => [restored([])] },
  {
    id: 'panel-busy',
    title: 'Blocks while a turn is in flight',
    isPanel: true,
    events: (say) => [
      ...reply(say('Hello!', 'أهلًا!'), options(say)),
      { type: 'turn-sent', message: visitor(say('When are you open?', 'متى تفتحون؟')) },
    ],
  },
  { id: 'panel-limited', title: 'Too many messages', isPanel: true, events: (say) => waiting(say, 'rate_limited') },
  { id: 'panel-offline', title: 'Offline', isPanel: true, events: (say) => waiting(say, 'offline') },
  {
    id: 'panel-ended',
    title: 'A person replies, and nothing is stored',
    isPanel: true,
    events: (say) => [
      restored([agent('a', say('Hello, this is Maryam.', 'أهلًا، معك مريم.'), { actor: 'owner' })]),
      { type: 'state-changed', state: 'human_active', key: 'n', at },
      { type: 'storage-failed' },
    ],
  },
];
