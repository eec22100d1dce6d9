/**
 * Texts of mixed direction. What must stay together is marked: ⟦…⟧ is written from left to right, ⟪…⟫ in the direction of its
 * first letter.
 */

/** Runs as they appear in messages. */
const runs = [
  '⟦+968 9212 3456⟧',
  '⟦00968 9212 3456⟧',
  '⟦(555) 123-4567⟧',
  '⟦0800 123 4567⟧',
  '⟦+٩٦٨ ٩٢١٢ ٣٤٥٦⟧',
  '⟦2026-12-24⟧',
  '⟦24/12/2026⟧',
  '⟦٢٤/١٢/٢٠٢٦⟧',
  '⟪12 ديسمبر 2026⟫',
  '⟪٢٤ يناير⟫',
  '⟦24 December 2026⟧',
  '⟦Dec 24, 2026⟧',
  '⟪6:00 م⟫',
  '⟪٦:٣٠ صباحًا⟫',
  '⟦6:00 PM⟧',
  '⟦18:30⟧',
  '⟦10:00–14:00⟧',
  '⟦16:00 - 20:00⟧',
  '⟪6:00 م – 8:00 م⟫',
  '⟦2025–2026⟧',
  '⟪12.500 ر.ع.⟫',
  '⟪1,250 ريال⟫',
  '⟦OMR 7.000⟧',
  '⟦$12.50⟧',
  '⟦12 €⟧',
  '⟦50%⟧',
  '⟦12-34-56⟧',
  '⟦PC-1042⟧',
  '⟦#PC1042⟧',
  '⟦A17-B⟧',
  '⟦INV/2026/0042⟧',
  '⟦192.168.1.1⟧',
  '⟦3.5⟧',
];

const sentences: ((run: string) => string)[] = [
  (run) => `اتصل بنا أو اكتب: ${run} قبل الزيارة.`,
  (run) => `موعدك ${run}، ونحن بانتظارك!`,
  (run) => `The value is ${run}, والمجموع معروف`,
  (run) => `(${run}) مرحبًا 👋`,
  (run) => `${run} هو الجواب؟`,
  (run) => `الرمز «${run}» صحيح`,
];

/** Texts whose numbers need no isolation, or that are not numbers. */
const others = [
  'عندي 3 قطع فقط',
  'Only 12 left',
  'مرحبًا name@example.com',
  'a1@b2.com',
  'شاهد https://shop.example/a-1-2 الآن',
  'لا أرقام هنا',
  '👋🏽 أهلًا',
  'الصفحة 7 من 9',
  // Only a whole word belongs to a run: the letters of a word join.
  'نشحن بـ6 ريالات للطرد',
  'دفعتُ ⟦12.5⟧ ريالًا',
  'في ⟦3.5⟧ مرات',
];

export const mixedTexts: readonly string[] = [
  ...sentences.flatMap((sentence) => runs.map(sentence)),
  ...others,
  'من ⟦PC-1042⟧ إلى ⟦PC-1049⟧ ثم ⟪12 ديسمبر 2026⟫ عند ⟪6:00 م⟫',
  'و⟦2026-12-24⟧ وقبل⟦10:30⟧',
];

export const withoutMarks = (text: string): string => text.replaceAll(/[⟦⟧⟪⟫]/g, '');
