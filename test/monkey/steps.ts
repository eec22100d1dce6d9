/** Generates the steps of a run from its seed. */
import { behaviorWeights, type BehaviorName } from './behaviors.ts';
import { drawEnvironment, type Environment } from './environments.ts';
import { pickWeighted, seededRandom } from './random.ts';

/** The actions with their weights. */
export const actionWeights = {
  type: 10,
  typeAndSend: 16,
  send: 8,
  sendMany: 4,
  sendAndReload: 3,
  sendByPage: 4,
  stop: 5,
  edit: 5,
  retry: 7,
  choose: 5,
  fillForm: 2,
  reload: 4,
  openTab: 6,
  closeTab: 1.5,
  switchTab: 4,
  goOffline: 2,
  goOnline: 2,
  identifyA: 3,
  identifyB: 3,
  logout: 2,
  reset: 3,
  resetAndReplace: 1.5,
  resetAndNavigate: 1.5,
  sleepSecond: 6,
  sleepTenSeconds: 5,
  sleepMinute: 3,
  sleepDay: 1,
  hideOrShow: 1.5,
  leaveAndReturn: 2,
  renderAgain: 3,
  replaceElement: 3,
  moveElement: 1,
  clearLocalStorage: 1.5,
};

export type ActionName = keyof typeof actionWeights;

export interface Step {
  /** The number of the step, the same after other steps were dropped. */
  readonly id: number;
  readonly action: ActionName;
  /** From 0 to 1: decides between the objects of the action, such as the failed messages. */
  readonly dice: number;
  /** Whether the next step follows at once, before the page has settled. */
  readonly isHasty: boolean;
  /** What the server does with the requests that arrive during the step. */
  readonly replies: readonly BehaviorName[];
}

export interface Run {
  readonly seed: number;
  readonly environment: Environment;
  readonly steps: readonly Step[];
}

const stepCount = 28;
export const maxTabs = 6;

/** What the generator assumes about the run, so that few steps are impossible. */
interface Guess {
  tabs: number;
  isOnline: boolean;
  hasDraft: boolean;
}

const weightsAfter = ({ tabs, isOnline, hasDraft }: Guess): Record<ActionName, number> => ({
  ...actionWeights,
  send: hasDraft ? actionWeights.send * 2 : 0,
  openTab: tabs < maxTabs && isOnline ? actionWeights.openTab : 0,
  closeTab: tabs > 1 ? actionWeights.closeTab : 0,
  switchTab: tabs > 1 ? actionWeights.switchTab : 0,
  reload: isOnline ? actionWeights.reload : 0,
  sendAndReload: isOnline ? actionWeights.sendAndReload : 0,
  resetAndNavigate: isOnline ? actionWeights.resetAndNavigate : 0,
  goOffline: isOnline ? actionWeights.goOffline : 0,
  goOnline: isOnline ? 0 : actionWeights.goOnline * 8,
});

const guessAfter = (guess: Guess, action: ActionName): Guess => ({
  tabs: guess.tabs + (action === 'openTab' ? 1 : action === 'closeTab' ? -1 : 0),
  isOnline: action === 'goOffline' ? false : action === 'goOnline' ? true : guess.isOnline,
  hasDraft: action === 'type' || action === 'edit' || (guess.hasDraft && !/send|reset|logout/i.test(action)),
});

/** Returns the environment and the steps of a seed. */
export const generateRun = (seed: number): Run => {
  const random = seededRandom(seed);
  const environment = drawEnvironment(random, stepCount);
  let guess: Guess = { tabs: 1, isOnline: true, hasDraft: false };
  const steps = Array.from({ length: stepCount }, (_, index): Step => {
    const action = pickWeighted(random, weightsAfter(guess));
    guess = guessAfter(guess, action);
    const replies = Array.from({ length: 3 }, () => pickWeighted(random, behaviorWeights));
    return { id: index + 1, action, dice: random(), isHasty: random() < 0.2, replies };
  });
  return { seed, environment, steps };
};

export const describeStep = ({ id, action, isHasty, replies }: Step): string =>
  `${id}. ${action}${isHasty ? ', without a pause after it' : ''} (requests: ${replies.join(', ')})`;
