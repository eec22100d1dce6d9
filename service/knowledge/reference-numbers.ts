/** Finds reference numbers in a text, for example order numbers: 1042, PC-1042, #PC1042, A17-B. */
import { normalize } from './terms.ts';

const maxLength = 24;

/** Returns runs of letters and digits, joined by hyphens, that contain a digit and no word of five letters or more. */
export const referenceNumbers = (text: string): string[] => {
  const european = text.replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660));
  const runs = european.match(/[A-Za-z\d]+(?:-[A-Za-z\d]+)*/g) ?? [];
  return runs.filter((run) => run.length >= 2 && run.length <= maxLength && /\d/.test(run) && !/[A-Za-z]{5}/.test(run));
};

/** A noun that has a number of its own ("to order 12 cups" has a verb), and the words between it and the number: "my order, number 1042", «رقم الطلب هو 1042». */
const numbered =
  /(?:^|[^\p{L}])(?:(?<!to )(?:order|parcel|package|shipment|tracking|booking|reservation|invoice|ticket|reference|ref)s?|(?:ال|لل)?(?:طلب|شحن|طرد|فاتور|حجز|تتبع)(?:ي|ه|تي|يه|يتي|نا|تنا)?)(?:[\s,.:#()-]|(?<!\p{L})(?:number|num|no|nr|id|code|is|was|with|the|my|رقم|رقمه|رقمها|هو|هي)(?!\p{L}))*$/u;

/**
 * Returns the reference numbers that name one thing of the visitor: those after a word like "order", and those with a hash. They are
 * arguments, and not the subject of a question, even if a source contains the same number.
 */
export const argumentNumbers = (text: string): string[] => {
  const plain = normalize(text);
  return referenceNumbers(text).filter((reference) => {
    const at = plain.indexOf(reference.toLowerCase());
    const before = plain.slice(0, Math.max(at, 0));
    return before.endsWith('#') || numbered.test(before);
  });
};

/** Whether a reference number has the form of a date, for example 2026-11-20 or 20-11-2026. */
export const isDateNumber = (reference: string): boolean => {
  return /^(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}-\d{1,2}-\d{4})$/.test(reference);
};
