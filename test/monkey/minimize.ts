/** Finds a shorter run with the same violation. */
import { execute, type Outcome } from './execute.ts';
import { shrink } from './shrink.ts';
import type { Run } from './steps.ts';
import type { Stage } from './world.ts';

const maxAttempts = 40;
/** Milliseconds of real time. */
const maxDuration = 45_000;

/** Returns null when the violation does not occur again. */
export const minimize = async (
  stage: Stage,
  run: Run,
  { violation, done }: Outcome,
): Promise<{ run: Run; outcome: Outcome } | null> => {
  const end = performance.now() + maxDuration;
  let shortest: { run: Run; outcome: Outcome } | null = null;
  const stillFails = async (steps: Run['steps']) => {
    const shorter = { ...run, steps };
    const outcome = await execute(stage, shorter);
    const isSame = outcome.violation?.invariant === violation!.invariant;
    if (isSame) shortest = { run: shorter, outcome };
    return isSame;
  };
  // The steps after the violation, and those that did nothing, are not needed.
  const steps = run.steps.filter((step) => done.includes(step));
  const candidates = (await stillFails(steps)) ? steps : run.steps;
  await shrink(candidates, { stillFails, maxAttempts, isOver: () => performance.now() > end });
  return shortest;
};
