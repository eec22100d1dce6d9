/** Runs the commands of docs/start-operator.md as they are written. Only the port and the folder differ. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { startService } from '../support/servers/service-process.ts';
import { limit } from '../support/time-limits.ts';
import { useFolders } from './support.ts';

const run = promisify(execFile);
const folder = useFolders()();

it('The first hour of an operator has seven steps whose commands work as written, and ends with a verified webhook', async () => {
  const page = await readFile('docs/start-operator.md', 'utf8');
  const blocks = Array.from(page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm), ([, language, code]) => ({
    language: language!,
    code: code!,
  }));
  assert.equal(page.match(/^## \d\. /gm)!.length, 7);
  const [start, ...commands] = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code);
  const options = start!.trim().split(' -- ')[1]!.split(' ');
  const given = options.slice(options.indexOf('--seed'));
  const service = await startService(['--data', join(folder, 'data'), ...given]);
  try {
    const script = blocks.find(({ language }) => language === 'js')!.code;
    await writeFile(join(folder, 'receiver.mjs'), script);
    const runLines = (lines: string[]) => {
      const text = lines
        .join('\n')
        .replace('http://127.0.0.1:8787', new URL(service.baseUrl).origin)
        .replace('svc_sk_…', service.secretKey);
      return run('bash', ['-c', text], { cwd: folder, timeout: limit(120_000) });
    };
    const mistake = `team /team/agents -d '{"name": "Hotel", "language": "german"}' | value id`;
    const { stderr } = await runLines([commands[0]!, mistake]);
    assert.match(stderr, /language.*english/s);
    const { stdout } = await runLines(['set -eu', ...commands]);
    const lines = stdout.trim().split('\n');
    assert.match(stdout, /7:00/);
    assert.match(stdout, /https:\/\/www\.your-site\.example/);
    assert.equal(lines.at(-1), 'verified conversation.started');
  } finally {
    await service.end('SIGTERM');
  }
});
