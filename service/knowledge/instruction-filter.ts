/**
 * Recognizes texts that give an assistant instructions. Ordinary texts of an owner contain the same words (“Ignore the old price
 * list”), so a pattern needs both an order and its object: the assistant's own instructions, role, or answers. The sentences of
 * `npm run bench:instructions` measure it.
 */
import { normalize } from './terms.ts';

/** The start of a sentence, or of an order within one. */
const start = String.raw`(?:^|[.!?:;،؛؟\n"“«]\s*|\b(?:please|now|and|then|so|just|must|instead),? )`;
/** Not a question or a report about someone who does it, nor a reminder. */
const ordered = String.raw`(?<!\b(?:i|we|they|he|she|customers|people|dont|not|never|to) )`;
const cancel = String.raw`(?:ignore|disregard|forget|override|bypass|set aside|discard|abandon|neglect)`;
const guidance = String.raw`(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|orders?|commands?|restrictions?|constraints?|programming|training|guardrails?|guidance|limitations?|filters?)`;
const role = String.raw`(?:assistant|bot|chatbot|ai|model|llm|dan|pirate|persona|character|hacker|admin\w*|adviser|advisor|lawyer|jailbroken|unrestricted|uncensored|developer mode|able to (?:do|say) anything|(?:bound|restricted|limited) by (?:your|any|all|these)|free (?:from|of) (?:your|any|all))`;

const english = [
  // Cancels the instructions.
  `${ordered}\\b${cancel}\\b (?:all |any |every |each )?(?:of )?(?:the |these |those |my )?your (?:(?:own|previous|prior|earlier|current|initial|original|system|safety|content) )*${guidance}\\b`,
  `${ordered}\\b${cancel}\\b (?:all |any |every )?(?:of )?(?:the |these |those |my |your )?(?:previous|prior|above|earlier|preceding|former|existing|system|safety|initial|original)\\b.{0,20}\\b${guidance}\\b`,
  `${ordered}\\b${cancel}\\b (?:all|any|every) (?:the )?${guidance}\\b(?! (?:of|for|on|in|about) )`,
  `${ordered}\\b${cancel}\\b (?:(?:all|any|every) )?(?:of )?(?:the )?(?:${guidance}|everything|anything|all|what|whatever)(?: that)? (?:above|before|so far|until now|you (?:have |had )?(?:been |were |was |got |are )?(?:told|given|taught|instructed)|(?:your|the) (?:developer|creator|system|maker|owner)s?\\b)`,
  `${ordered}\\b${cancel}\\b (?:all )?(?:of )?(?:the above|(?:all |any |the )?(?:previous|prior|earlier) (?:context|text|conversation|input))\\b`,
  `\\byour (?:own )?${guidance} (?:do not|dont|no longer) apply\\b`,
  `\\b(?:disregard|forget|override) (?:the|your) (?:system|developer) (?:prompt|message|instructions?)\\b`,
  `\\bignore (?:the|your) (?:system|developer|hidden|initial) (?:prompt|instructions?)\\b`,
  `\\b(?:do not|dont|stop|quit|no longer|never)(?: to)? (?:follow|obey|following|obeying)\\b.{0,12}\\b(?:your|previous|prior|the system|these|those|any|the above)\\b.{0,20}${guidance}`,
  // Gives the assistant another role.
  `\\byou are (?:now|no longer)\\b.{0,40}\\b${role}\\b(?!.{0,12}\\b(?:charged|teacher|account|delivery)\\b)`,
  `\\bfrom (?:now on|this point(?: on| forward)?|here on),? (?:you (?:are|will be|become) (?:${role}\\b|(?:an? |my |our |the )(?!(?:member|customer|guest|subscriber|friend|student|part|winner)\\b))|(?:you )?(?:must |will |shall |should |are to )?(?:only |always |just )?(?:act|answer|respond|reply|speak|say|behave|pretend|talk|recommend|be known as)\\b)`,
  `${start}(?:you (?:must|should|will|shall|are to|have to),? )?(?:now )?(?:(?:act|behave)(?: only)? (?:as (?:if you|though you|an? |my )|like (?:you are|youre|an? ))|(?:respond|reply|speak|talk|answer)(?: only)? (?:as (?:if you (?:were|are|had)|(?:an? )?${role})|like (?:you are|(?:an? )?${role})))`,
  `${start}(?:you (?:must|should|will|shall|are to|have to) )?(?:act|behave|respond|reply) as the (?!contact|parent|guardian)`,
  `(?:^|[.!?:;\\n]\\s*|\\b(?:please|must|should|will|shall),? )pretend(?: that| as if)?(?: you| to be|ing)`,
  `\\b(?:assume|take on|adopt|play) the (?:role|persona|identity) of\\b|\\bi (?:want|need|would like) you to (?:act|behave|pretend|answer|respond|be)\\b|\\byou have been (?:reprogrammed|hacked|jailbroken|freed)\\b`,
  `\\byou (?:now )?have no (?:limits|restrictions|rules|filters|guidelines)\\b`,
  `\\b(?:stop|quit) (?:being|acting as|working as) (?:an? |the )?${role}\\b`,
  `\\byou are (?:an? )?(?:ai|bot|model|assistant)\\b.{0,12}\\b(?:no|without|free of) (?:any )?(?:rules|restrictions|limits|filters)`,
  `\\b(?:roleplay|role-play|impersonate|simulate)\\b.{0,12}\\b(?:as|an?|the|being)\\b.{0,30}\\b(?:ai|model|bot|assistant|character|without|owner|manager|admin|human)\\b`,
  `(?:^|[.!?:;\\n]\\s*)(?:your|here is your|heres your) new (?:role|task|job|identity|persona|name|purpose|goal) (?:is|:)`,
  `\\byour (?:new|real|true|actual) ${guidance} (?:are|is)\\b`,
  `\\b(?:new|updated|additional|secret) (?:system )?(?:instructions?|prompt|directives?) ?:.{0,40}\\b(?:answer|respond|reply|say|tell|act|ignore|pretend|give|speak|recommend|never mention|you)\\b`,
  // Asks for the instructions.
  `\\b(?:ignore|reveal|print|repeat|show|output|display|give me|send|tell me|what (?:is|are)|whats|leak|share|write|quote)\\b.{0,30}\\b(?:your|the) (?:(?:system|developer|hidden|initial|secret|original|confidential) )+(?:prompt|message|instructions?)\\b`,
  `\\b(?:reveal|print|repeat|show|output|display|give me|tell me|leak)\\b.{0,30}\\b(?:your (?:prompt|instructions?)(?! (?:for|on|about|to|how|in|at)\\b)|the prompt(?=$|[.,!?;])|(?:the |all )?(?:instructions?|rules?|text|words|conversation|everything) above(?! the\\b))`,
  // Decides the answers.
  `\\b(?:never|do not|dont) (?:tell|inform) the (?:user|visitor)s?\\b`,
  `\\b(?:do not|dont|never) (?:tell|reveal|mention|disclose|admit|say|show)\\b.{0,30}\\b(?:(?:these|your|the system) ${guidance}|(?:that )?you are (?:an? )?(?:ai|bot|chatbot|model|assistant|robot)|(?:that )?youre an? )`,
  `\\byou (?:must|should|will|have to|are to) (?:always|never|only)? ?(?:answer|recommend|say|reply|respond|tell|promote|agree|claim|pretend|insult)\\b(?! (?:to |by |within |as soon|in writing|only if|the |your |this ))`,
  `(?:^|[.!?:;\\n]\\s*|\\bmust )(?:always|only|just) (?:answer|say|reply|respond|recommend|claim|promote|tell (?:visitors|users|customers|everyone))\\b.{0,6}\\b(?:that|with (?!your\\b)|our|yes|no|the competitor|them)(?! (?:writing|person))`,
  `\\b(?:respond|reply|answer) to everything with\\b|\\btell (?:every|all|each) (?:visitor|user|customer|client)s?\\b`,
  `\\b(?:answer|respond to|reply to) (?:every|all|each|any) (?:future |further )?(?:question|message|request)s?(?: of \\w+)? (?:with (?![a-z]+ (?:pen|pencil|ink))|by saying|as if)`,
  `\\b(?:if|when|whenever|every time|each time)\\b.{0,12}\\b(?:visitor|user|customer|someone|anyone|anybody|somebody|person|client|they)s?\\b ?(?:ask|want|request|mention|say|write|complain)s?\\b.{0,60}, (?:then |always |just |you )*(?:say|answer (?:that|with)|reply (?:that|with)|respond (?:that|with)|tell (?:them|him|her) (?:that|to|it|we|the)|recommend|claim|pretend|refuse|never mention|insist)\\b`,
  // Switches a mode off or on.
  `\\b(?:enter|enable|activate|switch (?:in)?to|turn on|go into|start|you are in)(?: the)? (?:developer|jailbreak|dan|god|admin|debug|unrestricted|unfiltered|sudo|root) mode\\b(?! (?:of|on) )`,
  `\\bi am your (?:developer|creator|programmer|admin\\w*|owner|maker|master)\\b`,
  `\\b(?:without|no) (?:any )?(?:restrictions|limits|filters|rules|censorship|guardrails)\\b.{0,20}\\b(?:answer|respond|reply|ai|model|assistant|bot)\\b`,
  `\\b(?:jailbreak|do anything now|prompt injection)\\b`,
  // Writes in the form of a prompt.
  `^\\s*(?:system|developer) (?:prompt|message|instructions?)\\s*:`,
  `^\\s*(?:system|developer|assistant)\\s*:\\s*(?:you (?:are|must|will|should|can)|i (?:will|must|am)|say|always|never|ignore|answer|respond|reply|act|pretend|override|give)\\b`,
  `<[|/]?\\s*(?:im_start|im_end|system|assistant|endoftext|instructions?)\\s*\\|?>|\\[/?(?:inst|system)\\]|<<sys>>`,
  `^\\s*#+\\s*(?:system\\b|(?:new )?instructions?\\s*:)`,
];

const noLetterBefore = String.raw`(?<!\p{L})`;
const cancelArabic = String.raw`(?<!(?:يمكنني|يمكن|استطيع|اقدر|يمكنك|عدم|لا) )(?:تجاهل|انس|اهمل|تخط|تجاوز|الغ|اترك|خالف|اكسر)ي?(?!\p{L})`;
const ownArabic = String.raw`(?:تعليماتك|قواعدك|قيودك|ارشاداتك|توجيهاتك|اوامرك|برمجتك|سياساتك|تدريبك|ضوابطك)(?!\p{L})`;
const guidanceArabic = String.raw`(?:التعليمات|الاوامر|القواعد|القيود|الارشادات|التوجيهات|الضوابط)`;
const roleArabic = String.raw`(?:مساعد|روبوت|بوت|نموذج|شخصيه|قرصان|بلا قيود|في وضع|انسان|خبير|مستشار|محام|طبيب|مدير|مالك|هاكر|غير مقيد)`;

const arabic = [
  `${noLetterBefore}${cancelArabic}.{0,20}(?:${ownArabic}|(?:كل |جميع )?ما (?:سبق|(?:كتب|قال|طلب|ذكر)ه (?:لك |منك )?(?:ال)?(?:مطور|مبرمج|صانع|مالك|نظام)|قيل لك|تعلمته|قلته لك|ورد اعلاه|ذكر اعلاه)|(?:موجه|تعليمات|رساله|برومبت) النظام|${guidanceArabic} (?:السابقه|اعلاه|السالفه|الاصليه|كلها|التي (?:اعطيت|قيلت|لديك)))`,
  `${noLetterBefore}(?:لا تتبع|لا تلتزم|لا تطع|توقف عن (?:اتباع|الالتزام|تنفيذ)).{0,12}(?:${ownArabic}|${guidanceArabic}(?: السابقه| اعلاه|$|[.،!]))`,
  `${noLetterBefore}انت الان (?:لست )?${roleArabic}`,
  `${noLetterBefore}لم تعد (?:مساعد|روبوت|بوت|نموذج|ملزم|مقيد|ملتزم)`,
  `${noLetterBefore}(?:من الان(?: فصاعدا)?|منذ الان|ابتداء من الان)،? ?(?:انت ${noLetterBefore}|ستكون |كن |اجب|رد |ترد |تجيب|تصرف|تكلم|قل|تظاهر)`,
  `${noLetterBefore}(?:تتصرف|تصرف|تحدث|اجب|رد|تكلم)ي? (?:كانك|كما لو|ك(?:مدير|مالك|روبوت|نموذج|مساعد|خبير|انسان|قرصان|شخص|محام|طبيب|مسوول|مستشار))`,
  `${noLetterBefore}(?:تظاهر|ادع|تخيل|انس)ي? (?:بانك|انك|بان|كانك)|اعتبر نفسك`,
  `${noLetterBefore}(?:مثل|العب|اد) دور `,
  `${noLetterBefore}تقمص(?:ي)? (?:شخصيه|دور)`,
  `(?:${ownArabic}|دورك|مهمتك|هويتك|شخصيتك|اسمك) (?:الجديده?|الحقيقيه?)`,
  `${noLetterBefore}(?:تعليمات|قواعد|اوامر) (?:جديده|سريه|مهمه|اضافيه) ?:.{0,40}(?:اجب|قل|رد|تصرف|تجاهل|اعط|لا تذكر|انت)`,
  `${noLetterBefore}(?:اعرض|اطبع|اكشف|اظهر|كرر|اكتب|انسخ|اخبرني|ارسل|اعطني|شارك|ما هي?|ما)ي?(?: لي| عن)?.{0,20}(?:تعليماتك(?!\\p{L})|(?:موجه|رساله|تعليمات|برومبت) النظام(?! (?:الشمسي|الصوتي|[a-z]))(?: (?:لديك|الخاصه? بك|كامل|حرفي)|$|[.،!؟])|(?:النص|الكلام|التعليمات|القواعد|كل ما) اعلاه|التعليمات التي (?:اعطيت|قيلت|لديك)|(?<!\\p{L})الموجه(?=$|[.،!؟]))`,
  `${noLetterBefore}(?:يجب ان |عليك ان |دايما )?(?:تجيب|اجب|ترد|قل|تقول)ي? دايما`,
  `${noLetterBefore}(?:كلما|اذا|عندما|حين|متي ما) (?:سال|طلب|كتب|اراد|ذكر|اشتكي)(?:ك|نا)? ?(?:ال)?(?:زاير|احد|احدهم|عميل|مستخدم|شخص|زبون).{0,60}(?:فقل|قل|فاجب|اجب|ارفض|ادع) `,
  `${noLetterBefore}(?:قل|اخبر)ي? ?(?:ل)?كل (?:زاير|عميل|مستخدم|زبون)`,
  `${noLetterBefore}(?:اجب|رد) (?:عن|علي) (?:كل|جميع|اي) (?:ال)?(?:سوال|اسيله|رساله|رسايل) (?:بنعم|بلا|بان|بكلمه)`,
  `${noLetterBefore}لا (?:تخبر|تقل|تذكر|تكشف|تعترف|تظهر).{0,20}(?:هذه التعليمات|تعليماتك|انك (?:ذكاء|روبوت|نموذج|مساعد|بوت|اله))`,
  `${noLetterBefore}(?:فعل|شغل|ادخل|انتقل|ابدا)ي? ?(?:الي |في )?وضع (?:المطور|كسر|بلا|غير|الادمن|المسوول|التصحيح)`,
  `${noLetterBefore}(?:انا )(?:مطورك|صانعك|مبرمجك|مالكك|مديرك)`,
  `^\\s*النظام ?: ?(?:انت|اجب|قل|تجاهل|يجب ان)`,
];

const patterns = [...english, ...arabic].map((pattern) => new RegExp(pattern, 'mu'));

export const looksLikeInstructions = (text: string): boolean => {
  const plain = normalize(text);
  return patterns.some((pattern) => pattern.test(plain));
};
