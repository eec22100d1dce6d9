/** The scenes of the team's hours, and of languages beside English and Arabic. */
import type { ViewState } from '../src/controllers/chat-context.ts';
import german from '../src/locale/added/de.ts';
import hebrew from '../src/locale/added/he.ts';
import type { LocaleDefinition } from '../src/locale/locale-definition.ts';
import { teamReturn } from '../src/locale/team-hours.ts';
import { agent, at, restored, visitor, type Scene } from './gallery-messages.ts';

const viewOf = ({ strings, direction }: LocaleDefinition, locale: string, texts: Partial<ViewState>) => ({
  strings,
  locale,
  languageTag: locale,
  dir: direction,
  heading: strings.heading,
  ...texts,
});

const inGerman = viewOf(german, 'de', { greeting: '', hasFeedback: true });
const inHebrew = viewOf(hebrew, 'he', { greeting: '', hasFeedback: true });

export const languageScenes: Scene[] = [
  {
    id: 'panel-hours',
    title: 'When the team is back',
    isPanel: true,
    view: () => ({
      greeting: '',
      teamReturn,
      // At any other time the team is closed, so that the scene shows its sentences.
      teamHours: { timeZone: 'Asia/Muscat', hours: { sat: ['09:00-09:30'], tue: ['09:00-09:30'] } },
    }),
    events: (say) => [
      restored([
        visitor(say('Can I talk to a person?', 'هل يمكنني التحدث مع شخص؟')),
        agent('a', say('Gladly. I have asked the team.', 'بكل سرور. تم إبلاغ الفريق.')),
      ]),
      { type: 'state-changed', state: 'handoff_requested', key: 'n', at },
    ],
  },
  {
    id: 'panel-languages',
    title: 'Other languages: German, and Hebrew from right to left',
    captions: { en: 'German', ar: 'Hebrew' },
    isPanel: true,
    view: (say) => (say('de', 'he') === 'de' ? inGerman : inHebrew),
    events: (say) => [
      restored([
        visitor(say('Wann haben Sie geöffnet?', 'מתי אתם פתוחים?')),
        agent(
          'a',
          say(
            'Von **Samstag bis Donnerstag**, 10:00–20:00 Uhr: +968 9212 3456.',
            'מיום **שבת עד יום חמישי**, 10:00–20:00. אפשר להתקשר: +968 9212 3456.',
          ),
          { ending: 'interrupted' },
        ),
      ]),
    ],
  },
];
