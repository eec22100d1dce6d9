import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useTestService } from './support.ts';

const tested = useTestService();

/** Sends the messages in one conversation, and returns the last response. */
const converse = async (messages: readonly string[]) => {
  tested.nextMinute();
  const key = await tested.makeKey();
  let id: string | undefined;
  let last: Awaited<ReturnType<typeof tested.chat>> | undefined;
  for (const message of messages) {
    last = await tested.chat(message, { key, ...(id === undefined ? {} : { conversation_id: id }) });
    id = last.body.conversation_id;
  }
  return last!.body;
};

/** Messages that are no question to the knowledge, or one about something else. */
const before = {
  en: [
    [],
    ['hello'],
    ['I want to talk to a person'],
    ['Can I talk to a human?', 'thanks'],
    ['How much is a wheel class?'],
    ['How much is a wheel class?', 'I want to talk to a person'],
    ['I would like a custom order', 'Name: Sara'],
    ['I want to book a class'],
  ],
  ar: [
    [],
    ['مرحبا'],
    ['أريد التحدث إلى موظف'],
    ['أريد التحدث إلى موظف', 'شكرا'],
    ['كم سعر حصة الأطفال؟'],
    ['كم سعر حصة الأطفال؟', 'أريد التحدث إلى موظف'],
    ['أريد حجز حصة'],
  ],
};

const complete: [language: 'en' | 'ar', question: string, expected: RegExp | 'form' | 'products'][] = [
  ['en', 'When are you open?', /10:00 to 20:00/],
  ['en', 'Where can I park?', /12 spaces/],
  ['en', 'I would like a custom order', 'form'],
  ['en', 'Show me your products', 'products'],
  ['ar', 'متى تفتحون؟', /من السبت إلى الأربعاء/],
  ['ar', 'هل عندكم مواقف؟', /مجانية/],
  ['ar', 'أريد طلبًا خاصًا', 'form'],
  ['ar', 'اعرض لي منتجاتكم', 'products'],
];

describe('a question that is complete by itself', () => {
  for (const [language, question, expected] of complete) {
    for (const earlier of before[language]) {
      it(`“${question}” gets the same reply after ${earlier.length === 0 ? 'nothing' : earlier.join(', ')}`, async () => {
        const { outcome, message } = await converse([...earlier, question]);
        if (expected === 'form') assert.equal(outcome, 'form');
        else if (expected === 'products') assert.equal(message!.blocks?.[0]?.type, 'products');
        else assert.match(message!.content, expected);
      });
    }
  }
});

describe('a question that depends on the one before', () => {
  for (const [messages, expected] of [
    [['How much is shipping in Oman?', 'and to Qatar?'], /6 OMR/],
    [['How much is shipping in Oman?', 'I want to talk to a person', 'and to Qatar?'], /6 OMR/],
    [['How much is shipping in Oman?', 'thanks', 'and to Qatar?'], /6 OMR/],
    [['What is the membership?', 'how much?'], /35 OMR/],
    [['What glazes do you have?', 'which are food safe?'], /lead-free/],
    [['كم سعر حصة الأطفال؟', 'وللمبتدئين؟'], /18 ريال/],
    [['كم سعر حصة الأطفال؟', 'أريد التحدث إلى موظف', 'وللمبتدئين؟'], /18 ريال/],
  ] as const) {
    it(`gets its reply: ${messages.join(' → ')}`, async () => {
      assert.match((await converse(messages)).message!.content, expected);
    });
  }
});

describe('small talk', () => {
  for (const [message, expected] of [
    ['Hi there', /welcome to Palm & Clay/],
    ['Howdy!', /./],
    ['good evening to you', /./],
    ['Thank you so much!', /welcome/],
    ['much appreciated, cheers', /./],
    ['Thanks a bunch, that was really helpful', /./],
    ['Goodbye', /see you soon/],
    ['ciao', /./],
    ['How are you?', /Very well/],
    ['السلام عليكم', /أهلًا وسهلًا/],
    ['هلا والله', /./],
    ['شكرًا جزيلًا', /الرحب والسعة/],
    ['يسلمو كتير', /./],
    ['مشكور ما قصرت', /./],
    ['الله يعطيك العافية', /./],
    ['مع السلامة', /مع السلامة/],
    ['كيف حالك', /بخير/],
  ] as const) {
    it(`gets a reply without a source: ${message}`, async () => {
      const { outcome, sources, message: reply } = await converse([message]);
      assert.deepEqual([outcome, sources], ['answered', []]);
      assert.match(reply!.content, expected);
    });
  }

  for (const [message, expected] of [
    ['Is it great for children?', /./],
    ['good morning, when are you open?', /10:00 to 20:00/],
    ['هلا، متى تفتحون؟', /من السبت إلى الأربعاء/],
  ] as const) {
    it(`is no question to the knowledge: ${message}`, async () => {
      const { message: reply } = await converse([message]);
      assert.match(reply!.content, expected);
      assert.doesNotMatch(reply!.content, /You’re welcome|على الرحب/);
    });
  }
});
