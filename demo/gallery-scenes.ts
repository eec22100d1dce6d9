/** The scenes of the gallery: conversations, built from events. */
import type { ChatEvent } from '../src/chat/state/chat-event.ts';
import { formDraftKey } from '../src/chat/state/state.ts';
import { brandScenes } from './gallery-brands.ts';
import { languageScenes } from './gallery-languages.ts';
import { offerScenes } from './gallery-offers.ts';
import { peopleScene } from './gallery-people.ts';
import {
  cards,
  filled,
  form,
  formReply,
  formulasAndCode,
  markdown,
  options,
  products,
  slots,
  wideTable,
} from './gallery-blocks.ts';
import {
  agent,
  at,
  failed,
  reply,
  restored,
  run,
  streaming,
  visitor,
  waiting,
  type Scene,
} from './gallery-messages.ts';

export type Language = 'en' | 'ar';

/** The titles of the tools, by phase. One tool has none. */
const tools = {
  answered: { en: 'Order status', ar: 'حالة الطلب' },
  failed: { en: 'Delivery dates', ar: 'مواعيد التوصيل' },
  refused: { en: 'Your address', ar: 'عنوانك' },
  running: undefined,
};

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
    id: 'panel-table',
    title: 'A table that is too wide',
    isPanel: true,
    view: () => ({ greeting: '' }),
    events: (say) => [restored([agent('a', wideTable(say))])],
  },
  {
    id: 'formulas-and-code',
    title: 'Formulas, and code with colors',
    events: (say) => [
      restored([visitor(say('How do you compute the discount?', 'كيف يُحسب الخصم؟')), agent('a', formulasAndCode(say))]),
    ],
  },
  {
    id: 'addresses',
    title: 'Addresses, links and numbers in both bubbles',
    events: (say) => {
      const text = say(
        'Call +968 9212 3456 or write to hello@shop.example: https://shop.example/visit',
        'اتصل على +968 9212 3456 أو راسلنا: hello@shop.example\nhttps://shop.example/visit',
      );
      return [restored([visitor(text), agent('a', text), agent('b', text, { actor: 'owner' })])];
    },
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
        run: run(phase, tools[phase]),
      })),
      {
        type: 'tool-changed',
        run: {
          ...run('asked', { en: 'Cancel an order', ar: 'إلغاء طلب' }),
          values: [[{ en: 'Order number', ar: 'رقم الطلب' }, '1042']],
          question: null,
        },
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
        `Name: ${name}\nPhone: ${phone}\nSize: M\nHow many: 12\nNeeded by: 2026-04-01`,
        `الاسم: ${name}\nالهاتف: ${phone}\nالمقاس: M\nالعدد: 12\nمطلوب قبل: 2026-04-01`,
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
  peopleScene,
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
  {
    id: 'panel-links',
    title: 'Pages to read before the first message',
    isPanel: true,
    view: (say) => ({
      links: [
        {
          label: say('Delivery and returns', 'التوصيل والاسترجاع'),
          url: 'https://shop.example/delivery',
          description: say('To all of Oman in two days', 'إلى كل محافظات عُمان خلال يومين'),
        },
        { label: say('Classes in our studio', 'دروس في الاستوديو'), url: 'https://shop.example/classes' },
      ],
    }),
    events: () => [restored([])],
  },
  {
    id: 'panel-consent',
    title: 'The question for consent before the first message',
    isPanel: true,
    view: (say) => ({
      consent: {
        text: say(
          'The chat stores your messages for 24 hours. Please agree to our [privacy policy].',
          'تُحفظ رسائلك في هذه المحادثة لمدة 24 ساعة. يُرجى الموافقة على [سياسة الخصوصية].',
        ),
        url: 'https://shop.example/privacy',
      },
    }),
    events: () => [restored([])],
  },
  {
    id: 'panel-suggestions',
    title: 'Suggestions of the page below a reply',
    isPanel: true,
    view: (say) => ({
      suggestions: {
        texts: [
          say('Where is my order?', 'أين طلبي؟'),
          say('How do I return it?', 'كيف أعيده؟'),
          say('Talk to a person', 'التحدث مع شخص'),
        ],
        afterKey: 'a',
      },
    }),
    events: (say) => [
      restored([
        visitor(say('Do you deliver to Sohar?', 'هل توصلون إلى صحار؟')),
        agent('a', say('Yes, within two days.', 'نعم، خلال يومين.')),
      ]),
    ],
  },
  ...offerScenes,
  ...languageScenes,
  {
    id: 'panel-launcher',
    title: 'The panel and a launcher with a label',
    isPanel: true,
    launcher: 'label',
    events: () => [restored([])],
  },
  ...brandScenes,
];
