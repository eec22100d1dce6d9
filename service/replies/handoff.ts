/** Detects a request for a person of the team, and replies to it. */
import { normalise, words } from '../knowledge/terms.ts';
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
  new RegExp(
    `^(an? )?(human|human agent|real person|live agent|representative|operator|agent|customer service|customer support)( please)?$`,
  ),
];
const personArabic =
  '(موظف|موظفه|شخص|انسان|بشري|احد|حد|المسوول|مسوول|المدير|مدير|ممثل|خدمه العملاء|الفريق|فريقكم|الدعم)';
const arabic = [
  new RegExp(
    `(اتحدث|التحدث|اتكلم|الكلام|اكلم|اكلمكم|احاكي|احكي|اتواصل|التواصل|تحويلي|حولني|حولوني|وصلني|وصلوني|كلموني).{0,18}${personArabic}`,
  ),
  new RegExp(`(اريد|ابغي|ابي|اود|احتاج|بدي|عطوني|اعطني).{0,6}(موظف|موظفه|شخص حقيقي|انسان|بشري|المسوول|المدير)`),
  /^(موظف|انسان|خدمه العملاء|شخص حقيقي)( لو سمحت| من فضلك)?$/,
];

export const requestsHandoff = (question: string): boolean => {
  if (words(question).length > 25) return false;
  const plain = words(normalise(question)).join(' ');
  return [...english, ...arabic].some((pattern) => pattern.test(plain));
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
