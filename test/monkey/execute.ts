/** Executes the steps of a run and returns the first violation. */
import { act } from './actions.ts';
import { checkEnding } from './ending.ts';
import { checkSettled } from './invariants.ts';
import type { Run, Step } from './steps.ts';
import { Violation } from './violation.ts';
import { World, type Stage } from './world.ts';

export interface Outcome {
  readonly violation: Violation | null;
  /** What happened, one line for each action and request. */
  readonly log: readonly string[];
  /** The steps whose precondition was met. */
  readonly done: readonly Step[];
}

/** Milliseconds between two steps. */
const pause = 20;

export const execute = async (stage: Stage, run: Run): Promise<Outcome> => {
  const world = await World.open(stage, run);
  const done: Step[] = [];
  const violation = await executeSteps(world, done).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Violation) return error;
      throw error;
    },
  );
  const { log } = world;
  await world.close();
  return { violation, log, done };
};

const executeSteps = async (world: World, done: Step[]): Promise<void> => {
  for (const step of world.run.steps) {
    const start = world.log.length;
    await world.startStep(step);
    await world.leapTo(world.time.now + pause);
    const { number } = world.active;
    const description = await act(world, step);
    if (description) done.push(step);
    world.log.splice(start, 0, `${step.id}. tab ${number}: ${description ?? `(${step.action}: not possible)`}`);
    world.isSettled = !step.isHasty;
    if (step.isHasty) continue;
    await world.settle();
    await world.awaitProof();
    await checkSettled(world);
    world.server.oldestCountInFlight = world.model.erasureCount;
  }
  await world.settle();
  world.server.oldestCountInFlight = world.model.erasureCount;
  await checkEnding(world);
};
