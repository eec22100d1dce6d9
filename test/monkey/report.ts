/** Describes a failed run: the seed, the environment, the steps, and how to replay it. */
import { describeEnvironment } from './environments.ts';
import type { Outcome } from './execute.ts';
import { describeStep, type Run } from './steps.ts';

const replay = (run: Run): string =>
  `MONKEY_SEED=${run.seed} MONKEY_STEPS=${run.steps.map(({ id }) => id).join(',')} npm test -- monkey`;

export const describeFailure = (run: Run, outcome: Outcome, shrunk: { run: Run; outcome: Outcome } | null): string => {
  const { violation, log } = outcome;
  const lines = [
    violation!.message,
    `Found ${violation!.step === null ? 'at the end' : `after step ${violation!.step}`} of seed ${run.seed}: ${describeEnvironment(run.environment)}`,
    '',
    'All steps:',
    ...log,
    '',
  ];
  if (shrunk) {
    lines.push(
      `Shrunk to ${shrunk.run.steps.length} steps:`,
      ...shrunk.run.steps.map(describeStep),
      '',
      'Their log:',
      ...shrunk.outcome.log,
      shrunk.outcome.violation!.message,
      '',
    );
  }
  return [...lines, `Replay: ${replay(shrunk?.run ?? run)}`].join('\n');
};
