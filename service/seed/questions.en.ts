/** The English questions and answers of the demo workspace. */
import type { QuestionItem } from '../db/schema.ts';

export const englishQuestions: QuestionItem[] = [
  {
    question: 'How do I book a class?',
    answer:
      'You can book right here in the chat, on our website, or by phone on +968 2400 0188. Your place is kept once you have paid.',
    alternatives: ['Where can I book a lesson?', 'How does booking work?'],
  },
  {
    question: 'What is your cancellation policy?',
    answer:
      'Cancel or move a class up to **24 hours before** it starts and it costs you nothing. After that we keep half the price; if we cancel, you get everything back.',
    alternatives: [
      'Can I cancel my class?',
      'Can I reschedule a booking?',
      'What if I cannot make it to my lesson?',
      'I cannot come to my class, do I get a refund?',
    ],
  },
  {
    question: 'What should I wear to a class?',
    answer:
      'Wear clothes that may get muddy and tie long hair back. We lend you an apron, and short nails make throwing easier.',
    alternatives: ['Do I need to bring anything to class?', 'Do you have aprons?', 'What do I bring?'],
  },
  {
    question: 'When can I collect the pieces I made?',
    answer:
      'Pieces from a class are dried, fired twice and ready after about **three weeks**. We message you, and keep them for 60 days.',
    alternatives: [
      'How long until my pottery is ready?',
      'When can I pick up my pot?',
      'When will my bowl be finished?',
    ],
  },
  {
    question: 'Do you sell gift cards?',
    answer:
      'Yes: gift cards from **10 to 100 OMR**, by e-mail or printed. They are valid for 12 months, for classes and in the shop.',
    alternatives: [
      'How long is a gift card valid?',
      'Do you have gift vouchers?',
      'I want to give a class as a present',
    ],
  },
  {
    question: 'Which payment methods do you accept?',
    answer: 'We take cash, Visa and Mastercard, Apple Pay, Thawani and bank transfer.',
    alternatives: ['Can I pay by card?', 'Do you accept Apple Pay?', 'How can I pay?'],
  },
  {
    question: 'Do prices include VAT?',
    answer: 'Yes, every price includes the 5% VAT, and you get a tax invoice.',
    alternatives: ['Is tax included?', 'Do I pay tax on top?', 'Can I have a tax invoice?'],
  },
  {
    question: 'Is your pottery food-safe?',
    answer:
      'Yes. Our glazes are lead-free and fired at 1,220 °C, so everything glazed on the inside is safe for food and drink.',
    alternatives: ['Can I eat from your plates?', 'Are the glazes lead-free?', 'Is it safe to drink from the cups?'],
  },
  {
    question: 'Can I put your pottery in the oven?',
    answer:
      'Better not: sudden heat can crack stoneware. Warming up in the **microwave is fine**, unless the piece has gold lustre.',
    alternatives: ['Is it microwave safe?', 'Is it oven safe?'],
  },
  {
    question: 'How much does the clay shrink?',
    answer: String.raw`Our stoneware shrinks by about **12%**. For a finished height $f$, throw the piece with the wet height

$$w = \frac{f}{1 - 0.12}$$

A cup of 10 cm is about 11.4 cm high when it is wet. For your own calculator:

~~~js
// Heights in centimeters
const wetHeight = (finished) => finished / (1 - 0.12);
~~~`,
    alternatives: ['How do I calculate the shrinkage?', 'How much smaller is a piece after the firing?'],
  },
  {
    question: 'Do you host group events?',
    answer:
      'Yes, for **6 to 20 people**: two hours with a teacher for 16 OMR a person, coffee and dates included. Companies and families both love it.',
    alternatives: [
      'Can we do a team building event?',
      'Do you do corporate workshops?',
      'We are a group of 12, can we come?',
    ],
  },
  {
    question: 'Do you do birthday parties?',
    answer:
      'We do: **12 OMR a child**, at least six children aged 6 to 12, two hours with clay, and you may bring a cake.',
    alternatives: ["Can I celebrate my daughter's birthday with you?", 'Kids birthday party'],
  },
  {
    question: 'How can I contact you?',
    answer:
      'Call or WhatsApp **+968 2400 0188**, or write to hello@palmandclay.example. We answer within one working day.',
    alternatives: ['What is your phone number?', 'What is your email address?', 'Are you on WhatsApp?'],
  },
  {
    question: 'Who is behind Palm & Clay?',
    answer:
      'Salma Al Harthy, a potter from Bahla, opened Palm & Clay in Muscat in 2016. Today six of us throw, glaze, teach and pack.',
    alternatives: ['Tell me about Palm & Clay', 'When was the studio founded?', 'Who owns the studio?', 'Who are you?'],
  },
  {
    question: 'Can I watch or take photos in the studio?',
    answer:
      'Of course. Photos are welcome; please ask before taking pictures of other guests, and tag us when you share them.',
    alternatives: ['May I take pictures?', 'Is photography allowed?'],
  },
  {
    question: 'Are pets allowed?',
    answer:
      'Dogs and cats may wait in the courtyard on a lead, but not in the studio: shelves of drying pots and tails do not mix.',
    alternatives: ['Can I bring my dog?'],
  },
  {
    question: 'What are your prices?',
    answer:
      'Here is what most people ask about:\n\n- Beginners’ wheel class: **18 OMR**\n- Hand-building class: **14 OMR**\n- Six-week course: **95 OMR**\n- Kids’ class: **9 OMR**\n- Open studio: **4 OMR** an hour\n- Membership: **35 OMR** a month',
    alternatives: ['Price list', 'How much does it cost?', 'How much do classes cost?'],
  },
  {
    question: 'Do you repair broken pottery?',
    answer:
      'We mend pieces with visible golden seams, kintsugi style, from 12 OMR. Bring every fragment; it takes two weeks.',
    alternatives: ['Can you fix my broken bowl?', 'Kintsugi repair'],
  },
  {
    question: 'Do I need any experience?',
    answer:
      'None at all: the **beginners’ wheel class** and the hand-building class start from the very first lump of clay.',
    alternatives: ['I have never worked with clay, can I join?', 'Is it for beginners?', 'I never touched clay'],
  },
  {
    question: 'Is your pottery dishwasher safe?',
    answer: 'Yes, everything glazed may go in the **dishwasher**. Only pieces with gold lustre want washing by hand.',
    alternatives: ['Can the mugs go in the dishwasher?', 'How do I wash the plates?'],
  },
];
