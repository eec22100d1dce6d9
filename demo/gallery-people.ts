/** The scene with pictures of the assistant and of a person, and with thumbs. */
import { agent, restored, visitor, type Scene } from './gallery-messages.ts';

/** A cup. The gallery loads no files. */
const assistantPicture = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path fill="#a4472b" d="M0 0h40v40H0z"/><path fill="#fbeee2" d="M11 13h15v9a7 7 0 0 1-15 0zM26 15h3a4 4 0 0 1 0 8h-3v-3h3a1 1 0 0 0 0-2h-3z"/></svg>',
)}`;

export const peopleScene: Scene = {
  id: 'panel-people',
  title: 'Pictures of the assistant and of a person, and thumbs',
  isPanel: true,
  view: () => ({ avatar: assistantPicture, hasFeedback: true }),
  events: (say) => [
    restored([
      agent('b', say('Hello, this is Maryam.', 'أهلًا، معك مريم.'), { actor: 'owner', author: say('Maryam', 'مريم') }),
      agent('c', say('I will keep the shop open.', 'سأبقي المحل مفتوحًا.'), {
        actor: 'owner',
        author: say('Maryam', 'مريم'),
      }),
      visitor(say('Thank you!', 'شكرًا!')),
      agent('a', say('We are open from Saturday to Thursday.', 'نفتح من السبت إلى الخميس.')),
    ]),
  ],
};
