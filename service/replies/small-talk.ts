/** Replies to messages that contain only a greeting, thanks, a goodbye or a question about the assistant. */
import type { Db } from '../db/database.ts';
import { words } from '../knowledge/terms.ts';
import type { Reply, Turn } from './reply-source.ts';
import { sentences } from './sentences.ts';
import { findTopics } from './topics.ts';

const wordSet = (text: string) => new Set(words(text));

const greetings = wordSet(
  'hi hello hey hiya howdy yo morning everyone all team folks guys to you the يا والله هلابك مسا صباحو حيا عليكم وعليكم عليك يسعد اوقاتكم نهارك سعيد جميعا احلي احلا بكره hi hello hey hiya greetings good morning afternoon evening salam salaam assalamu alaikum there مرحبا مرحبتين أهلا اهلين هلا هاي السلام عليكم ورحمة الله وبركاته صباح مساء الخير النور بك بكم حياكم',
);
const thanks = wordSet(
  'thanks ta thnx tnx thankyou appreciated appreciate appreciation really helpful useful brilliant awesome wonderful kind your for help helping everything all it was bunch million lovely then i that thats nice of قصرت قصرتم ما كفيت ووفيت يسلمو يسلموا كتير كثير تشكرات تشكر ممنون ممنونه ممنونين الف العافيه يعطيكم يعافيك بارك فيك فيكم مره والله عزيزي اخي thanks thank you thx ty so very much a lot many cheers great perfect that helps ok okay شكرا مشكور مشكورة مشكورين تسلم تسلمين جزيلا جزاك جزاكم الله خيرا ألف يعطيك العافية ممتاز طيب لك لكم كثيرا',
);
const goodbyes = wordSet(
  'bye goodbye ciao ya cya farewell then for now thats all تشاو وداعه فمان استودعكم اشوفكم على خير bye goodbye see you later soon take care have a nice good day night مع السلامة وداعا إلى اللقاء باي في أمان الله تصبح على خير',
);

const howAreYou =
  /^(hi |hello |hey )?how are (you|things)( today| doing)?$|^(كيف حالك|كيف الحال|كيفك|شلونك|شخبارك|علومك)( اليوم)?$/;
const whoAreYou =
  /^(who|what) are you$|^are you (a )?(bot|robot|human|real|person|ai)$|^(من انت|مين انت|هل انت (انسان|روبوت|بوت))$/;
const capabilities =
  /^(help|what can you (do|help( me)? with)|menu|start|مساعده|ساعدني|ماذا يمكنك ان تفعل|بماذا تساعد|كيف تساعدني|القايمه)$/;

/** The words of which a greeting needs one. The others only accompany it. */
const greetingWord =
  /\b(hi|hello|hey|hiya|howdy|yo|greetings|good|morning|afternoon|evening|salam|salaam|assalamu)\b|مرحب|اهلا|اهلين|هلا|هاي|سلام|صباح|مساء|مسا|نور|حيا|يسعد|نهارك/;

type TalkKind = 'nothing' | 'howAreYou' | 'whoAreYou' | 'thanks' | 'goodbye' | 'greeting';

/** Returns the kind of a message that is no question to the knowledge, or undefined. */
export const talkKind = (message: string): TalkKind | undefined => {
  const spoken = words(message);
  const joined = spoken.join(' ');
  const only = (allowed: Set<string>, needed: RegExp) =>
    spoken.length <= 7 && spoken.every((word) => allowed.has(word)) && needed.test(joined);
  if (spoken.length === 0) return 'nothing';
  if (howAreYou.test(joined)) return 'howAreYou';
  if (whoAreYou.test(joined) || capabilities.test(joined)) return 'whoAreYou';
  if (
    !/[?؟]/.test(message) &&
    only(
      thanks,
      /thank|thx|thnx|tnx|^ty$|^ta\b|cheers|great|perfect|apprecia|helpful|brilliant|awesome|wonderful|شكر|مشكور|تسلم|يسلمو|جزا|عافيه|يعافيك|ممتاز|ممنون|قصرت|بارك/,
    )
  )
    return 'thanks';
  if (
    only(
      goodbyes,
      /bye|ciao|cya|farewell|see (you|ya)|take care|good (day|night)|nice day|سلامه|وداع|لقاء|باي|امان|تصبح|تشاو|اشوفكم/,
    )
  )
    return 'goodbye';
  return only(greetings, greetingWord) ? 'greeting' : undefined;
};

export const smallTalk = async (db: Db, turn: Turn): Promise<Reply | undefined> => {
  const { agent, question, language, contact } = turn;
  const sentence = sentences[language];
  const plain = (text: string): Reply => ({ text, outcome: 'answered', sources: [] });

  const withTopics = async (text: string): Promise<Reply> => {
    const options = (await findTopics(db, turn)).map((topic) => ({ label: topic, value: topic }));
    if (options.length === 0) return plain(text);
    return { ...plain(text), blocks: [{ type: 'options', prompt: sentence.topics, options }] };
  };

  switch (talkKind(question)) {
    case 'nothing':
    case 'whoAreYou':
      return withTopics(sentence.whoAreYou(agent.name));
    case 'greeting': {
      const known = contact && contact.name !== '' && contact.notes.length > 0;
      return withTopics(known ? sentence.welcomeBack(contact.name) : sentence.greeting(agent.name));
    }
    case 'howAreYou':
      return plain(sentence.howAreYou);
    case 'thanks':
      return plain(sentence.thanks);
    case 'goodbye':
      return plain(sentence.goodbye);
    default:
      return undefined;
  }
};
