/** The strings that explain problems and waits, in both languages. Loaded with the code that shows them. */
import type { ProblemStrings } from './strings.ts';

const arabicUnits: Partial<Record<Intl.LDMLPluralRule, string>> = {
  one: 'حرف واحد',
  two: 'حرفين',
  few: '# أحرف',
  many: '# حرفًا',
};

/** Returns a number of characters as words after a preposition. */
const arabicCharacters = (formatted: string, count: number): string =>
  (arabicUnits[new Intl.PluralRules('ar').select(count)] ?? '# حرف').replace('#', formatted);

export const problemStrings: Record<'en' | 'ar', ProblemStrings> = {
  en: {
    notices: {
      restarted: 'The previous conversation has ended. This is a new one.',
      handoff: 'We’ve asked a teammate to join. The assistant keeps helping until then.',
      joined: 'A teammate has joined the conversation.',
      returned: 'The assistant is replying again.',
      closed: 'This conversation has ended.',
      unlinked: 'The next message starts a new conversation.',
    },
    tooLong: (excess, count) =>
      `The message is ${excess} ${count === 1 ? 'character' : 'characters'} too long. Shorten it, or send it in parts.`,
    sendAgain: 'Send again',
    edit: 'Edit',
    askAgain: 'Ask again',
    stopped: 'Stopped',
    replying: 'Replying…',
    conversationErased: 'New conversation',
    refused: 'The assistant can’t help with this topic',
    limit: 'The assistant has reached its monthly limit of conversations.',
    degraded: 'Some sources were unavailable for this reply.',
    replyingInOtherTab: 'Replying in another tab…',
    stillWorking: 'Still working on the reply…',
    memoryOnly: 'Your browser isn’t saving this chat. It’s gone when you leave this page.',
    waiting: {
      rate_limited: (seconds) => `You’re sending messages quickly. Sending this one in ${seconds}.`,
      unavailable: (seconds) => `The service is busy. Trying again in ${seconds}.`,
      offline: () => 'You’re offline. Your message will be sent when you’re back online.',
      other_tab: () => 'Replying in another tab. Your message is next.',
      previous: () => 'Finishing the previous reply first…',
      retrying: (seconds) => `No response yet. Trying again in ${seconds}.`,
    },
    problems: {
      network: 'We couldn’t confirm that your message arrived.',
      unexpected_response: 'Your network blocked the message (a Wi-Fi sign-in page or a firewall?).',
      interrupted: 'The connection was lost before the reply was complete.',
      timeout: 'The reply took too long.',
      response_too_large: 'The reply was too large to show.',
      not_authorised: 'The chat is not available on this page right now.',
      agent_unavailable: 'The assistant is paused at the moment. Your message stays here.',
      not_found: 'The chat is not available on this page right now.',
      message_refused: 'The message was not accepted. Change it and send it again.',
      too_large: 'The message is too long. Shorten it and send it again.',
      rate_limited: 'You’re sending messages quickly. Send your message again in a few minutes.',
      unavailable: 'The service is not available right now. Send your message again in a few minutes.',
      identity_rejected: 'We couldn’t confirm your identity. Sign in again, then send your message again.',
      internal_error: 'Something went wrong on our side. Your message was not sent.',
      unknown: 'Something went wrong. Your message was not sent.',
    },
  },
  ar: {
    notices: {
      restarted: 'انتهت المحادثة السابقة، وهذه محادثة جديدة.',
      handoff: 'بانتظار انضمام أحد أعضاء الفريق. يواصل المساعد الإجابة حتى ذلك الحين.',
      joined: 'انضم أحد أعضاء الفريق إلى المحادثة.',
      returned: 'عاد المساعد للإجابة.',
      closed: 'انتهت هذه المحادثة.',
      unlinked: 'ستبدأ الرسالة التالية محادثة جديدة.',
    },
    tooLong: (excess, count) =>
      `الرسالة أطول من الحد المسموح بمقدار ${arabicCharacters(excess, count)}. اختصرها أو أرسلها على أجزاء.`,
    sendAgain: 'إعادة الإرسال',
    edit: 'تعديل',
    askAgain: 'إعادة السؤال',
    stopped: 'تم الإيقاف',
    replying: 'جارٍ الرد…',
    conversationErased: 'محادثة جديدة',
    refused: 'لا يستطيع المساعد الإجابة عن هذا الموضوع',
    limit: 'بلغ المساعد الحد الشهري من المحادثات.',
    degraded: 'تعذّر الرجوع إلى بعض المصادر في هذه الإجابة.',
    replyingInOtherTab: 'جارٍ الرد في علامة تبويب أخرى…',
    stillWorking: 'ما زال المساعد يُعدّ الإجابة…',
    memoryOnly: 'متصفحك لا يحفظ هذه المحادثة، وستختفي عند مغادرة هذه الصفحة.',
    waiting: {
      rate_limited: (seconds) => `ترسل رسائل بسرعة كبيرة. ستُرسل هذه الرسالة بعد ${seconds}.`,
      unavailable: (seconds) => `الخدمة مشغولة. سنعيد المحاولة بعد ${seconds}.`,
      offline: () => 'أنت غير متصل بالإنترنت. ستُرسل رسالتك فور عودة الاتصال.',
      other_tab: () => 'جارٍ الرد في علامة تبويب أخرى، ورسالتك هي التالية.',
      previous: () => 'نُكمل الإجابة السابقة أولًا…',
      retrying: (seconds) => `لم يصلنا رد بعد. سنعيد المحاولة بعد ${seconds}.`,
    },
    problems: {
      network: 'لم نتأكد من وصول رسالتك.',
      unexpected_response: 'حجبت شبكتك الرسالة (صفحة دخول \u2068Wi‑Fi\u2069 أو جدار حماية؟).',
      interrupted: 'انقطع الاتصال قبل اكتمال الإجابة.',
      timeout: 'استغرقت الإجابة وقتًا أطول من المعتاد.',
      response_too_large: 'الإجابة أطول من أن تُعرض هنا.',
      not_authorised: 'المحادثة غير متاحة على هذه الصفحة حاليًا.',
      agent_unavailable: 'المساعد متوقف مؤقتًا. رسالتك محفوظة هنا.',
      not_found: 'المحادثة غير متاحة على هذه الصفحة حاليًا.',
      message_refused: 'لم تُقبل الرسالة. عدّلها ثم أعد إرسالها.',
      too_large: 'الرسالة طويلة جدًا. اختصرها ثم أعد إرسالها.',
      rate_limited: 'ترسل رسائل بسرعة كبيرة. أعد إرسال رسالتك بعد بضع دقائق.',
      unavailable: 'الخدمة غير متاحة حاليًا. أعد إرسال رسالتك بعد بضع دقائق.',
      identity_rejected: 'لم نتمكن من التحقق من هويتك. سجّل الدخول من جديد ثم أعد إرسال رسالتك.',
      internal_error: 'حدث خطأ من جانبنا، ولم تُرسل رسالتك.',
      unknown: 'حدث خطأ ما، ولم تُرسل رسالتك.',
    },
  },
};
