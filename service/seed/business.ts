/** The demo's workspace: Palm & Clay, «نخيل وطين», a pottery studio and shop in Muscat. */
import type { Language } from '../core/language.ts';
import type { Role } from '../core/roles.ts';
import type { ActionKind } from '../db/schema.ts';
import type { Availability, FormField, JsonObject } from '../../contract/wire.ts';

export const workspace = { id: 'wsp_palm_and_clay', name: 'Palm & Clay', plan: 'business' as const };
export const agentId = 'agt_palm_and_clay';
export const pausedAgentId = 'agt_palm_and_clay_winter';
export const timeZone = 'Asia/Muscat';
export const site = 'https://palmandclay.example';

export const members: { id: string; name: string; email: string; role: Role }[] = [
  { id: 'mem_salma', name: 'Salma Al Busaidi', email: 'salma@palmandclay.example', role: 'owner' },
  { id: 'mem_yusuf', name: 'Yusuf Al Harthy', email: 'yusuf@palmandclay.example', role: 'agent' },
];

/** Text sources: the Markdown file of each, and the page of the website with the same content. */
export const textSources: { id: string; file: string; name: string; page: string; language: Language }[] = [
  { id: 'src_visiting_en', file: 'visiting.en.md', name: 'Visiting us', page: '/en/visit', language: 'en' },
  { id: 'src_visiting_ar', file: 'visiting.ar.md', name: 'زيارتنا', page: '/ar/visit', language: 'ar' },
  { id: 'src_classes_en', file: 'classes.en.md', name: 'Classes', page: '/en/classes', language: 'en' },
  { id: 'src_classes_ar', file: 'classes.ar.md', name: 'الدورات والحصص', page: '/ar/classes', language: 'ar' },
  { id: 'src_studio_en', file: 'studio.en.md', name: 'Studio and firing', page: '/en/studio', language: 'en' },
  { id: 'src_studio_ar', file: 'studio.ar.md', name: 'الاستوديو والحرق', page: '/ar/studio', language: 'ar' },
  { id: 'src_shop_en', file: 'shop.en.md', name: 'Shop and orders', page: '/en/shop', language: 'en' },
  { id: 'src_shop_ar', file: 'shop.ar.md', name: 'المتجر والطلبات', page: '/ar/shop', language: 'ar' },
];

export const questionSources = {
  en: { id: 'src_questions_en', name: 'Questions and answers', page: '/en/questions' },
  ar: { id: 'src_questions_ar', name: 'أسئلة وأجوبة', page: '/ar/questions' },
};

export interface SeedProduct {
  id: string;
  nameEn: string;
  nameAr: string;
  descriptionEn: string;
  descriptionAr: string;
  price: number;
  availability: Availability;
}

export const products: SeedProduct[] = [
  {
    id: 'prd_coffee_cups',
    nameEn: 'Set of six coffee cups',
    nameAr: 'طقم ستة فناجين قهوة',
    descriptionEn: 'Omani coffee cups in frankincense white, 60 ml each.',
    descriptionAr: 'فناجين قهوة عمانية بأبيض اللبان، 60 مل للفنجان.',
    price: 18,
    availability: 'in_stock',
  },
  {
    id: 'prd_incense_burner',
    nameEn: 'Frankincense burner',
    nameAr: 'مبخرة لبان',
    descriptionEn: 'A carved burner with a brass dish, 14 cm high.',
    descriptionAr: 'مبخرة منقوشة بصحن نحاسي، ارتفاعها 14 سم.',
    price: 12.5,
    availability: 'in_stock',
  },
  {
    id: 'prd_serving_bowl',
    nameEn: 'Large serving bowl',
    nameAr: 'وعاء تقديم كبير',
    descriptionEn: 'Sea of Oman blue, 32 cm wide, for rice or salad.',
    descriptionAr: 'بأزرق بحر عُمان، قطره 32 سم، للأرز أو السلطة.',
    price: 24,
    availability: 'in_stock',
  },
  {
    id: 'prd_mug',
    nameEn: 'Palm mug',
    nameAr: 'كوب النخلة',
    descriptionEn: 'A 300 ml mug in date-palm green.',
    descriptionAr: 'كوب سعته 300 مل بأخضر النخيل.',
    price: 6.5,
    availability: 'in_stock',
  },
  {
    id: 'prd_vase',
    nameEn: 'Bahla vase',
    nameAr: 'مزهرية بهلاء',
    descriptionEn: 'Unglazed outside, 26 cm high, each one different.',
    descriptionAr: 'غير مزججة من الخارج، ارتفاعها 26 سم، ولا تشبه أختها.',
    price: 29,
    availability: 'preorder',
  },
  {
    id: 'prd_plates',
    nameEn: 'Set of four plates',
    nameAr: 'طقم أربعة صحون',
    descriptionEn: 'Dinner plates in frankincense white, 27 cm.',
    descriptionAr: 'صحون عشاء بأبيض اللبان، قطر الصحن 27 سم.',
    price: 34,
    availability: 'out_of_stock',
  },
];

/** The fields that the agent asks of a lead. */
export const leadFields: FormField[] = [
  { key: 'name', label_en: 'Name', label_ar: 'الاسم', kind: 'text', options: [], required: true },
  { key: 'phone', label_en: 'Phone', label_ar: 'الهاتف', kind: 'phone', options: [], required: true },
  { key: 'email', label_en: 'Email', label_ar: 'البريد الإلكتروني', kind: 'email', options: [], required: false },
  {
    key: 'piece',
    label_en: 'What to make',
    label_ar: 'نوع القطع',
    kind: 'select',
    options: ['Tableware', 'Vase', 'Tiles', 'Something else'],
    required: true,
  },
  { key: 'quantity', label_en: 'How many', label_ar: 'العدد', kind: 'number', options: [], required: true },
  { key: 'needed_by', label_en: 'Needed by', label_ar: 'مطلوب بحلول', kind: 'date', options: [], required: false },
];

export interface SeedAction {
  id: string;
  name: string;
  kind: ActionKind;
  descriptionEn: string;
  descriptionAr: string;
  inputSchema: JsonObject;
  config: JsonObject;
}

/** `asked_by` lists wordings that request the action without a language model. A model reads the description instead. */
export const actions: SeedAction[] = [
  {
    id: 'act_order_status',
    name: 'get_order_status',
    kind: 'client_tool',
    descriptionEn: 'Reads the status of an order of the visitor by its number.',
    descriptionAr: 'يقرأ حالة طلب الزائر برقمه.',
    inputSchema: {
      type: 'object',
      properties: { order_number: { type: 'string' } },
      required: ['order_number'],
    },
    config: {
      // Long enough to read a question of the page first.
      timeout_ms: 120_000,
      asked_by: [
        'Where is my order?',
        'What is the status of my order?',
        'Track my order',
        'Where is order number',
        'Check my order',
        'Has my parcel been sent?',
        'My order has not arrived',
        'أين طلبي؟',
        'وين وصل طلبي؟',
        'ما حالة طلبي؟',
        'تتبع الطلب',
        'وين وصل طلبي رقم',
        'أين الطلب رقم',
        'لم يصل طلبي بعد',
        'متى يوصل طلبي؟',
      ],
    },
  },
  {
    id: 'act_show_product',
    name: 'show_product',
    kind: 'client_tool',
    descriptionEn: 'Shows a product of the shop on the page the visitor is looking at.',
    descriptionAr: 'يعرض منتجًا من المتجر في الصفحة التي يتصفحها الزائر.',
    inputSchema: {
      type: 'object',
      properties: { product_id: { type: 'string' } },
      required: ['product_id'],
    },
    config: { timeout_ms: 5_000 },
  },
  {
    id: 'act_custom_order',
    name: 'custom_order_request',
    kind: 'collect_data',
    descriptionEn: 'Collects what is needed to quote a custom order, as a lead.',
    descriptionAr: 'يجمع ما يلزم لتسعير طلب خاص.',
    inputSchema: {},
    config: {
      title: { en: 'Your custom order', ar: 'طلبك الخاص' },
      lead: true,
      asked_by: [
        'I would like to place a custom order',
        'I want a custom order',
        'Custom order request',
        'Can you make something custom for me?',
        'I want to commission plates',
        'Get a quote for a custom order',
        'أريد طلبًا خاصًا',
        'أرغب في طلب خاص',
        'أبغى أطلب قطع خاصة',
        'ممكن تصنعون لي شيئًا حسب الطلب؟',
        'أريد عرض سعر لطلب خاص',
      ],
    },
  },
  {
    id: 'act_book_class',
    name: 'book_class',
    kind: 'integration',
    descriptionEn: "Books a place in a beginners' wheel class.",
    descriptionAr: 'يحجز مكانًا في حصة الدولاب للمبتدئين.',
    inputSchema: {
      type: 'object',
      properties: { start: { type: 'string', format: 'date-time' } },
      required: ['start'],
    },
    config: {
      vendor: 'studio_calendar',
      settings: {
        title: { en: "Beginners' wheel class", ar: 'حصة الدولاب للمبتدئين' },
        minutes: 120,
        weekly: [
          ['sat', '18:00'],
          ['tue', '18:00'],
        ],
      },
      asked_by: [
        'I want to book a class',
        'Book a class',
        'Book me a wheel class',
        'I would like to reserve a place in a class',
        'Which class times are free?',
        'أريد حجز حصة',
        'احجز لي حصة',
        'أبغى أحجز حصة دولاب',
        'ما المواعيد المتاحة للحصة؟',
        'أريد أن أحجز مكانًا',
      ],
    },
  },
];
