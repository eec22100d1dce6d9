/** The files of `chat-extras.ts`, in a build of one script: everything is there already. */
import { addFeedback } from '../elements/feedback.ts';
import { addHistory } from '../elements/history.ts';
import { addMail } from '../elements/mail.ts';
import { addNotify } from '../elements/notify.ts';
import { addRating } from '../elements/rating.ts';
import { addSpeech } from '../elements/speech.ts';
import { showWholeTable } from '../elements/table-dialog.ts';
import { characterEntities } from 'character-entities';
import { lazyFile } from '../chat/lazy-file.ts';
import { teamReturn } from '../locale/team-hours.ts';
import type * as Extras from './chat-extras.ts';

const bundled = <Content>(content: Content) => lazyFile(async () => content);

export const chatExtras: typeof Extras.chatExtras = {
  entities: bundled(characterEntities),
  // One script shows the source of formulas, and plain code.
  math: null,
  codeColors: null,
  wholeTable: bundled(showWholeTable),
  teamHours: bundled(teamReturn),
  speech: bundled(addSpeech),
  feedback: bundled(addFeedback),
  rating: bundled(addRating),
  notify: bundled(addNotify),
  mail: bundled(addMail),
  history: bundled(addHistory),
};
