/** Runs test files on another version of Node.js, which npm downloads. */
import { spawn } from 'node:child_process';
import type { Count } from './count.ts';

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
      const [, passed, failed, skipped = 0] =
        /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m.exec(output.trimEnd().split('\n').at(-1) ?? '') ?? [];
      const count = { passed: Number(passed ?? 0), failed: Number(failed ?? 0), skipped: Number(skipped) };
      // A run that has ended without a count, or on another version, has failed.
      const isComplete = passed !== undefined && output.includes(`Node.js v${major}.`);
      if (!isComplete || (code !== 0 && count.failed === 0)) count.failed++;
      resolve(count);
    });
  });
