/** Detects a request for a person of the team, and replies to it. */
import { normalize, words } from '../knowledge/terms.ts';
import type { Reply, Turn } from './reply-source.ts';
import { sentences } from './sentences.ts';

const someone =
  '(human( being| agent)?|(real |actual |live )?(person|people)|(live |real |support )agent|representative|operator|manager|someone( real| human| from (the|your) team)?|somebody|member of (staff|the team)|(your |the )?(team|staff)|customer (service|support|care))';
const english = [
  new RegExp(
    `\\b(speak|talk|chat|connect|transfer|put|get|pass|hand|escalate)\\b.{0,20}\\b(to|with|through|over|me)\\b.{0,20}\\b${someone}\\b`,
  ),
  new RegExp(
    `\\b(want|need|prefer|like|give me|get me|can i have)\\b.{0,15}\\b(human|real person|actual person|live agent|human agent|representative|operator|manager)\\b`,
  ),
  /\b(want|need|prefer|like) an? ((real|actual|live) )?(person|human)( please| now| to (help|call|talk|speak)\b.*)?$/,
  /^((please|just|only) )?(an? )?(human|human agent|(real|actual|live) person|live agent)( please| now)?$/,
];
const personArabic =
  '(موظف|موظفه|شخص|انسان|بشري|احد|حد|المسوول|مسوول|المدير|مدير|ممثل|خدمه العملاء|الفريق|فريقكم|الدعم)';
const arabic = [
  new RegExp(
    `(اتحدث|التحدث|اتكلم|الكلام|اكلم|اكلمكم|احاكي|احكي|اتواصل|التواصل|تحويلي|حولني|حولوني|وصلني|وصلوني|كلموني).{0,18}${personArabic}`,
  ),
  new RegExp(`(اريد|ابغي|ابي|اود|احتاج|بدي|عطوني|اعطني).{0,6}(موظف|موظفه|شخص حقيقي|انسان|بشري|المسوول|المدير)`),
  /^(موظف|انسان|شخص حقيقي)( لو سمحت| من فضلك)?$/,
];
/** Whole messages. As a part of a message, each may be something else: "Is customer support included?" */
const wholeMessage = [
  /^(an? )?(representative|operator|agent|customer service|customer support)( please)?$/,
  /^خدمه العملاء( لو سمحت| من فضلك)?$/,
];

/** The end of the words before a request that is negated: "I don't want to", "without". */
const negationBefore =
  /(^| )((?<!why )(dont|do not|doesnt|does not|didnt|did not|wont|will not|not|never|no longer|rather not|no need|without|instead of)( (really|actually|necessarily|yet|even))?( (want|need|have|wish|like|plan|mean|ask|getting|get|make|making|having)( me| you| us)?)?( to| for)?|(لا|ما|مو|مش|مب|لست|بدون|دون|من غير|بلا)( (اريد|ابغي|ابي|اود|احتاج|بدي|ارغب|داعي|حاجه|لازم|ضروري))?( (ان|في|الي))?( ?ل)?|(مابي|ماابي|مابغي|ماابغي))$/;
const negationWithin =
  /\b(no|without an?) ((real|live|actual) )?(human|person|people|agent|representative|operator|manager)\b/;
/** The ends of clauses. A sentence without punctuation ends before its next request. */
const clauseEnd =
  /[.,:;!?،؛؟\n]+| but | ولكن | لكن | بل |(?= (?:i (?:want|need|would like|prefer)|id (?:like|prefer)|can i|could i) )/;

export const requestsHandoff = (question: string): boolean => {
  if (words(question).length > 25) return false;
  const clauses = normalize(question).split(clauseEnd);
  const requests = clauses.map((clause) => requestIn(words(clause).join(' '))).filter((request) => request !== null);
  if (requests.length > 0) return requests.some(({ before, text }) => !isNegated(before, text));
  // A request that continues after a comma ("Connect me, please, to a person") is in no single clause.
  const plain = words(question).join(' ');
  return requestIn(plain) !== null || wholeMessage.some((pattern) => pattern.test(plain));
};

const isNegated = (before: string, text: string): boolean => {
  return negationBefore.test(before.trimEnd()) || negationWithin.test(text);
};

/** Returns the first request for a person in a text, with the words before it, or null. */
const requestIn = (plain: string): { before: string; text: string } | null => {
  for (const pattern of [...english, ...arabic]) {
    const found = pattern.exec(plain);
    if (found) return { before: plain.slice(0, found.index), text: found[0] };
  }
  return null;
};

/** Stores the request before the reply is streamed, so that it counts even if the visitor leaves during the reply. */
export const handoffReply = async ({ language, isHandoffRequested, effects }: Turn): Promise<Reply> => {
  await effects.requestHandoff();
  const text = sentences[language];
  return {
    text: isHandoffRequested ? text.handoffStillRequested : text.handoffRequested,
    outcome: 'handoff',
    sources: [],
  };
};
