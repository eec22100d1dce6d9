/** The scenes of what a page offers around a conversation: a rating, a notice, the transcript by e-mail, past conversations. */
import { agent, at, restored, visitor, type Say, type Scene } from './gallery-messages.ts';

const day = 24 * 3_600_000;

const exchange = (say: Say) => [
  visitor(say('Is my bowl ready?', 'هل وعائي جاهز؟')),
  agent('a', say('Yes, you can collect it until 18:00.', 'نعم، يمكنك استلامه حتى الساعة 6 مساءً.'), {
    actor: 'owner',
    author: say('Maryam', 'مريم'),
  }),
];

/** The response of the site's backend with the past conversations, as a URL: the gallery has no backend. */
const pastConversations = (say: Say): string => {
  const texts = [
    say('Do you ship to Dubai?', 'هل تشحنون إلى دبي؟'),
    say('The kiln class: which day is free?', 'في أي يوم يوجد مكان في حصة الفرن؟'),
    say('My order has not arrived yet, and I leave on Friday', 'لم يصل طلبي بعد، وسأسافر يوم الجمعة'),
  ];
  const conversations = texts.map((text, index) => ({
    id: `cnv_${index}`,
    started_at: new Date(at - (3 + index * 9) * day).toISOString(),
    text,
  }));
  return `data:application/json,${encodeURIComponent(JSON.stringify({ conversations }))}`;
};

export const offerScenes: Scene[] = [
  {
    id: 'panel-rating',
    title: 'The question how the conversation was',
    isPanel: true,
    view: () => ({ hasRating: true, greeting: '' }),
    events: (say) => [restored([...exchange(say), { role: 'notice', key: 'n', at, code: 'closed' }])],
  },
  {
    id: 'panel-notify',
    title: 'The offer of a notice for a hidden page',
    isPanel: true,
    view: () => ({ hasNotify: true, greeting: '' }),
    events: (say) => [restored(exchange(say))],
  },
  {
    id: 'panel-mail',
    title: 'The transcript by e-mail',
    isPanel: true,
    sheet: 'mail',
    view: () => ({ transcriptUrl: 'https://gallery.invalid/transcript' }),
    events: (say) => [restored(exchange(say))],
  },
  {
    id: 'panel-history',
    title: 'The past conversations',
    isPanel: true,
    sheet: 'history',
    view: (say) => ({ historyUrl: pastConversations(say) }),
    events: () => [restored([])],
  },
];
