/** Validates imported questions: no duplicates, and no text that looks like instructions to a language model. */
import type { ErrorDetail } from '../../contract/wire.ts';
import type { QuestionItem } from '../db/schema.ts';
import { normalise, words } from './terms.ts';

/**
 * Orders to an assistant about its own instructions or role. A visitor's honest question may contain the same words
 * ("Can I ignore the instructions on the label?"), so each pattern needs an addressee or the form of an order.
 */
const instructionPatterns = [
  // “your instructions”, “all previous rules”, “the instructions above”; not “I forget the rules”.
  /(?<!\b(i|we|they|customers|people) )\b(ignore|disregard|forget|override)\b (all |any |every )?(of )?(the |these |those |my )?(your|previous|prior|above|earlier|preceding|system)\b.{0,30}\b(instructions?|prompts?|rules?|messages?|directions?)\b/,
  /(?<!\b(i|we|they|customers|people) )\b(ignore|disregard|forget|override) ((all|any|every) )?(of )?(the )?((instructions?|prompts?|rules?|messages?|directions?|everything|anything)) (above|before|so far|until now|you (have|were|got))/,
  /\byou are (now|no longer)\b.{0,40}\b(assistant|bot|chatbot|ai|model|dan|pirate|persona|character|jailbroken|unrestricted|developer mode|your (rules|instructions|guidelines))\b/,
  /(^|[.!:;\n]\s*|\b(from now on|please|must|should|will|shall|are to),? )(act|behave|respond|reply|pretend)( only)? (as (if you|an? |the )|to be )/,
  /\b(ignore|reveal|print|repeat|show|output|tell me)\b.{0,30}\b(your|the) ((system|developer|hidden|initial) )(prompt|message|instructions?)\b/,
  /\b(disregard|forget|override) (the|your) (system|developer) (prompt|message|instructions?)\b/,
  /\b(reveal|print|repeat|show|output)\b.{0,30}\b(your (prompt|instructions?)(?! (for|on|about|to|how))|the prompt\b|the (instructions?|rules?|text|words) above)/,
  /^\s*(system|developer) (prompt|message|instructions?)\s*:/m,
  /<\|?(im_start|im_end|system|assistant|endoftext)\|?>|\[\/?inst\]|^\s*#+\s*(system\b|(new )?instructions?\s*:)/m,
  /(?<!\p{L})(?<!(يمكنني|يمكن|استطيع|اقدر) )(تجاهل|انس|اهمل|تخط)ي?(?!\p{L}).{0,20}(تعليماتك|قواعدك|ما سبق|(التعليمات|الاوامر|القواعد) (السابقه|اعلاه))/u,
  /(?<!\p{L})انت الان (مساعد|روبوت|بوت|نموذج|شخصيه|قرصان|بلا قيود|في وضع)/u,
  /(?<!\p{L})(تصرف (كانك|كما لو|ك)|تظاهر بانك)|(اعرض|اطبع|اكشف|اظهر|كرر).{0,20}(تعليماتك|(موجه|رساله|تعليمات) النظام)/u,
];

export const looksLikeInstructions = (text: string): boolean => {
  const plain = normalise(text);
  return instructionPatterns.some((pattern) => pattern.test(plain));
};

/** Returns all problems of a batch. The schema of the request has checked the lengths already. */
export const findProblems = (items: QuestionItem[]): ErrorDetail[] => {
  const firstByWording = new Map<string, number>();
  return items.flatMap(({ question, answer, alternatives }, at) => {
    const problems: ErrorDetail[] = [];
    const texts = [
      ['question', question],
      ['answer', answer],
    ] as [string, string][];
    for (const [index, text] of alternatives.entries()) texts.push([`alternatives.${index}`, text]);
    for (const [field, text] of texts) {
      if (!looksLikeInstructions(text)) continue;
      const message = 'This reads like instructions to an assistant.';
      problems.push({ field: `items.${at}.${field}`, code: 'instruction_like', message });
    }
    for (const [field, text] of texts.filter(([name]) => name !== 'answer')) {
      const wording = words(text).join(' ');
      const first = firstByWording.get(wording) ?? at;
      firstByWording.set(wording, first);
      if (first === at) continue;
      const message = `The same question as in items.${first}.`;
      problems.push({ field: `items.${at}.${field}`, code: 'duplicate', message });
    }
    return problems;
  });
};
