import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCompiled } from '../support/node-runner.ts';
import { limit } from '../support/time-limits.ts';

const folder = mkdtempSync(join(tmpdir(), 'workspace-chat-runner-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const testApi = "import assert from 'node:assert'; import { after, before, describe, it } from 'node:test';";

/** Runs files with these texts in one process, in the order of their names. */
const run = async (texts: Record<string, string>, fileLimit = limit(60_000)) => {
  const files = Object.entries(texts).map(([name, text]) => {
    const path = join(folder, `${name}.mjs`);
    writeFileSync(path, `${testApi}\n${text}`);
    return { name, path };
  });
  return runCompiled(files, { concurrency: 1, fileLimit, print() {} });
};

const passing = "it('passes', () => {});";

/** Whether a server listens on the port. */
const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

describe('the runner of test files', () => {
  it('counts the tests of each file, and names those that failed with their suites', async () => {
    const failing =
      "describe('a suite', () => { it('fails', () => assert.ok(false)); it.skip('is skipped', () => {}); });";
    assert.deepEqual(await run({ a: passing, b: failing }), {
      passed: 1,
      failures: ['b › a suite › fails'],
      skipped: 1,
    });
  });

  it('runs the hooks of a file only for its own tests', async () => {
    const first =
      'globalThis.open = false; before(() => { globalThis.open = true; }); after(() => { globalThis.open = false; });';
    const second = "it('starts without the first file', () => assert.equal(globalThis.open, false));";
    assert.deepEqual(
      (await run({ c: `${first} it('is open', () => assert.ok(globalThis.open));`, d: second })).failures,
      [],
    );
  });

  it('fails for a file that does not load', async () => {
    assert.deepEqual((await run({ e: "throw new Error('broken');", f: passing })).failures, ['e › the file']);
  });

  it('ends a file that exceeds its limit with the processes that it has started, and runs the next one', async () => {
    const server = "createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port); })";
    const portFile = join(folder, 'port');
    const hanging = `
      import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      it('hangs', async () => {
        const child = spawn(process.execPath, ['-e', ${JSON.stringify(`require('net').${server}`)}]);
        child.stdout.once('data', (port) => writeFileSync(${JSON.stringify(portFile)}, port));
        await new Promise((resolve) => setTimeout(resolve, 1e8));
      });`;
    const { passed, failures } = await run({ g: hanging, h: passing }, limit(2_000));
    assert.deepEqual(failures, ['g › “hangs”: the process has ended with SIGKILL']);
    assert.equal(passed, 1);
    assert.equal(await isListening(Number(readFileSync(portFile, 'utf8'))), false);
  });

  it('fails for a process that an error outside of the tests has ended', async () => {
    const { failures } = await run({ i: `${passing} after(() => setTimeout(() => process.exit(3), 0));`, j: passing });
    assert.equal(failures.length, 1);
  });
});
