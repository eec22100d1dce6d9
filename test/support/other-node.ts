/** Runs test files on another version of Node.js, which npm downloads. */
import { spawn } from 'node:child_process';
import { readFailures, type Count } from './count.ts';

/** Runs `npm test -- <files>` on a major version of Node.js. A run on another version counts as failed. */
export const runOnNode = (major: number, files: string[]): Promise<Count> =>
  new Promise((resolve, reject) => {
    const command = ['node', '--import=tsx', 'test/run.ts', ...files];
    const child = spawn('npm', ['exec', '--yes', `--package=node@${major}`, '--', ...command], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      process.stdout.write(text);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      const [, passed, skipped = 0] =
        /^(\d+) passed, \d+ failed(?:, (\d+) skipped)?$/m.exec(output.trimEnd().split('\n').at(-1) ?? '') ?? [];
      const failures = readFailures(output).map((name) => `Node.js ${major}: ${name}`);
      // A run that has ended without a count, or on another version, has failed.
      const isComplete = passed !== undefined && output.includes(`Node.js v${major}.`);
      if (!isComplete || (code !== 0 && failures.length === 0))
        failures.push(`Node.js ${major}: ended with code ${code}`);
      resolve({ passed: Number(passed ?? 0), failures, skipped: Number(skipped) });
    });
  });
