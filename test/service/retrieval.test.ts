import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { languageOf } from '../../service/core/language.ts';
import { agents } from '../../service/db/schema.ts';
import { search } from '../../service/knowledge/search.ts';
import { useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;

/** The question, the expected first source, and the expected text. */
type Case = [question: string, source: string, expected: RegExp];

const english: Case[] = [
  ['When do you close on Thursday?', 'Visiting us', /10:00 to 22:00/],
  ['what time do u open tomorrow', 'Visiting us', /10:00 to 20:00/],
  ['Are you open during Ramadan?', 'Visiting us', /20:00 to 01:00/],
  ['Where can I leave my car?', 'Visiting us', /Parking is free/],
  ['How do I find the studio?', 'Visiting us', /Villa 14/],
  ['Where are you?', 'Visiting us', /Villa 14/],
  ['Is the place wheelchair friendly?', 'Visiting us', /step-free/],
  ['is there somewhere to have a coffee', 'Visiting us', /karak/],
  ['My son is seven, is there something for him?', 'Classes', /Children from 6 to 12/],
  ['how much is a wheel class for beginners', 'Classes', /18 OMR/],
  ['Which languages do the teachers speak?', 'Classes', /Arabic and in English/],
  ["I've never touched clay, can I join?", 'Questions and answers', /None at all/],
  ["What happens if I can't make it to my lesson?", 'Questions and answers', /24 hours before/],
  ['can i get my money back if i dont like the bowl', 'Shop and orders', /14 days/],
  ['My vase arrived broken', 'Shop and orders', /48 hours/],
  ['Do you deliver to Dubai?', 'Shop and orders', /UAE/],
  ['How much is delivery to Salalah?', 'Shop and orders', /1\.5 OMR/],
  ['Can these mugs go in the dishwasher?', 'Questions and answers', /dishwasher/],
  ['is it safe to eat off your plates', 'Questions and answers', /lead-free/],
  ["Do you fire other people's work?", 'Studio and firing', /OMR a kilo/],
  ['when do you fire the kiln', 'Studio and firing', /Sunday/],
  ['which glaze colors do you have', 'Studio and firing', /14 studio glazes/],
  ['What does membership cost?', 'Studio and firing', /35 OMR a month/],
  ['How does the open studio work?', 'Studio and firing', /4 OMR an hour/],
  ['where do you get your clay', 'Studio and firing', /Bahla/],
  ['Can I pay with Apple Pay?', 'Questions and answers', /Apple Pay/],
  ['do I have to pay tax on top', 'Questions and answers', /5% VAT/],
  ['How long does a custom order take?', 'Shop and orders', /four to six weeks/],
  ['Do you sell to hotels?', 'Shop and orders', /24 pieces/],
  ['How do gift cards work?', 'Questions and answers', /12 months/],
  ['What should I wear?', 'Questions and answers', /apron/],
  ['when can I pick up the pots I made', 'Questions and answers', /three weeks/],
  ['Could we do a team event for 15 colleagues?', 'Questions and answers', /6 to 20 people/],
  ["I'd like a birthday party for my daughter", 'Questions and answers', /12 OMR a child/],
  ['Can I bring my dog?', 'Questions and answers', /courtyard on a lead/],
  // Questions with typing errors.
  ['What are your opning hours?', 'Visiting us', /10:00 to 20:00/],
  ['do you have parkng', 'Visiting us', /12 spaces/],
  ['membrship price?', 'Studio and firing', /35 OMR/],
];

const arabic: Case[] = [
  ['متى تفتحون يوم الجمعة؟', 'زيارتنا', /الجمعة من 4 عصرًا/],
  ['كم الساعة تغلقون الخميس', 'زيارتنا', /10 مساءً/],
  ['متى دوامكم في رمضان؟', 'زيارتنا', /بعد منتصف الليل/],
  ['وين مكانكم بالضبط؟', 'زيارتنا', /فيلا 14/],
  ['هل عندكم مواقف للسيارات', 'زيارتنا', /مجانية/],
  ['أبي أستخدم كرسي متحرك هل المكان مناسب؟', 'زيارتنا', /منحدر/],
  ['عندكم شي للأطفال؟', 'الدورات والحصص', /من عمر 6 إلى 12/],
  ['كم سعر حصة المبتدئين؟', 'الدورات والحصص', /18 ريال/],
  ['كم تكلف دورة الستة أسابيع', 'الدورات والحصص', /95 ريال/],
  ['هل المدربون يتكلمون إنجليزي؟', 'الدورات والحصص', /بالعربية والإنجليزية/],
  ['ما عندي أي خبرة، أقدر أشارك؟', 'أسئلة وأجوبة', /أبدًا/],
  ['شو ألبس؟', 'أسئلة وأجوبة', /المريول/],
  ['متى أقدر أستلم القطع اللي سويتها', 'أسئلة وأجوبة', /ثلاثة أسابيع/],
  ['هل توصلون إلى دبي؟', 'المتجر والطلبات', /الإمارات/],
  ['كم سعر التوصيل إلى صلالة؟', 'المتجر والطلبات', /1\.5 ريال/],
  ['وصلني الصحن مكسور', 'المتجر والطلبات', /48 ساعة/],
  ['أقدر أرجع القطعة إذا ما عجبتني؟', 'المتجر والطلبات', /14 يومًا/],
  ['هل أقدر أغسلها في غسالة الصحون؟', 'أسئلة وأجوبة', /غسالة الصحون/],
  ['هل الأكواب فيها رصاص؟', 'أسئلة وأجوبة', /خالٍ من الرصاص/],
  ['متى تشعلون الفرن؟', 'الاستوديو والحرق', /الأربعاء/],
  ['هل تحرقون قطع من برا؟', 'الاستوديو والحرق', /للكيلو/],
  ['ايش الألوان الموجودة؟', 'الاستوديو والحرق', /14 لونًا/],
  ['كم الاشتراك الشهري؟', 'الاستوديو والحرق', /35 ريالًا/],
  ['هل أقدر أدفع بفيزا', 'أسئلة وأجوبة', /ماستركارد/],
  ['هل السعر شامل الضريبة', 'أسئلة وأجوبة', /5٪/],
  ['كم يستغرق الطلب الخاص؟', 'المتجر والطلبات', /أربعة إلى ستة أسابيع/],
  ['هل تبيعون بالجملة للمقاهي؟', 'المتجر والطلبات', /30٪/],
  ['عندكم بطاقات هدايا؟', 'أسئلة وأجوبة', /12 شهرًا/],
  ['نبغى ورشة لموظفي الشركة', 'أسئلة وأجوبة', /20 شخصًا/],
  ['عيد ميلاد بنتي الأسبوع القادم، هل تنظمون حفلات؟', 'أسئلة وأجوبة', /12 ريالًا للطفل/],
  ['كيف أتواصل معكم', 'أسئلة وأجوبة', /2400 0188/],
  ['إذا ما قدرت أحضر هل ترجعون الفلوس', 'أسئلة وأجوبة', /24 ساعة قبل/],
  ['هل يمكنني إحضار قطتي؟', 'أسئلة وأجوبة', /الحوش/],
  // With and without vowel marks, hamza and tatweel.
  ['مَتَى تَفْتَحُونَ؟', 'زيارتنا', /من السبت إلى الأربعاء/],
  ['ساعـــات العمل', 'زيارتنا', /من السبت إلى الأربعاء/],
];

/** Asks all questions, and compares the share of right replies with the least share. */
const requireShare = async <Item>(all: Item[], least: number, problem: (item: Item) => Promise<string | undefined>) => {
  const problems: string[] = [];
  for (const each of all) {
    const found = await problem(each);
    if (found !== undefined) problems.push(found);
  }
  const share = 1 - problems.length / all.length;
  assert.ok(share >= least, `${(100 * share).toFixed(0)} % are right. Wrong:\n${problems.join('\n')}`);
};

const problemOfReply = async ([question, source, expected]: Case): Promise<string | undefined> => {
  const { body } = await ask(question);
  const isRight =
    body.outcome === 'answered' && expected.test(body.message!.content) && body.sources[0]!.filename === source;
  return isRight ? undefined : `${question} → ${body.message!.content}`;
};

const ask = (question: string) => {
  tested.clock.now += 4000;
  return tested.chat(question, { key });
};

/** Questions about another subject, each with a word of a heading. */
const collisions = ['en', 'ar'].flatMap((language) => {
  const file = new URL(`../bench/replies/collisions.${language}.json`, import.meta.url);
  const { questions } = JSON.parse(readFileSync(file, 'utf8')) as { questions: { question: string }[] };
  return questions.map(({ question }) => question);
});

describe('retrieval in the demo workspace', () => {
  it('refuses 97 % of the questions about another subject that share a word with a heading, without sources', () =>
    requireShare(collisions, 0.97, async (question) => {
      const { body } = await ask(question);
      if (body.outcome === 'refused') assert.deepEqual(body.sources, []);
      return body.outcome === 'refused' ? undefined : `${question} → ${body.message!.content}`;
    }));

  it('replies from the right source to 90 % of the English questions', () =>
    requireShare(english, 0.9, problemOfReply));

  it('replies from the right source to 90 % of the Arabic questions', () => requireShare(arabic, 0.9, problemOfReply));
});

describe('a question of mostly unknown words', () => {
  const empty = useTestService({ workspace: 'empty' });
  const text = [
    '# Trial\n\nTry everything for 30 days.',
    '# Parking\n\nThere are twelve spaces.',
    '# Refunds\n\nWithin 14 days of the order.',
    '# Parking permits\n\nWe sell them at the desk.',
  ].join('\n\n');
  before(() => empty.addText(text));
  const outcomeOf = async (question: string) => (await empty.chat(question)).body.outcome;

  const refused: [matched: string, question: string][] = [
    ['one heading', 'Does the trial require plutonium?'],
    ['several headings', 'Does parking require plutonium?'],
    ['a text', 'Do wombats guard the desk?'],
  ];
  for (const [matched, question] of refused) {
    it(`is refused when it has a word of ${matched}`, async () => assert.equal(await outcomeOf(question), 'refused'));
  }

  it('gets a reply when most of its words are known', async () => {
    const { body } = await empty.chat('How long is the trial?');
    assert.match(body.message!.content, /30 days/);
  });
});

describe('the index in memory', () => {
  const questions = [
    'What are your opening hours?',
    'Where can I park?',
    'Do you have classes for children, and what do they cost?',
    'How do I return a vase that broke in the post?',
    'shiping cost to Salalah',
    'my order PC-1042',
    'classes classes classes',
    'متى تفتحون؟',
    'كم سعر التوصيل إلى صلالة؟',
    'هل عندكم دورات للأطفال؟',
    "it's a | b & !c :* 'd\\ (e)",
  ];
  for (const question of questions) {
    it(`finds the same as the index in the database for “${question}”`, async () => {
      const knowledge = { agentId: tested.agentId, language: languageOf(question) ?? 'en' };
      const [agent] = await tested.rows(agents, eq(agents.id, tested.agentId));
      const inMemory = await search(tested.service.db, { ...knowledge, revision: agent!.knowledgeRevision }, question);
      const inDatabase = await search(tested.service.db, knowledge, question);
      assert.deepEqual(inMemory, inDatabase);
    });
  }
});
