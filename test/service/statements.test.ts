/** Checks every statement of the API contract on the embedded database. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestedService } from './statements/context.ts';
import { wasmFlags } from '../support/wasm-flags.ts';
import { describeStatements, type StartedService } from './statements/describe.ts';

const main = fileURLToPath(new URL('statements/embedded-service.ts', import.meta.url));

const start = async (): Promise<StartedService> => {
  const child = spawn(process.execPath, [...wasmFlags, '--import', 'tsx', main], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    const { at, ...service } = JSON.parse(line) as TestedService & { at: string };
    const stop = () => {
      process.off('exit', kill);
      child.kill('SIGTERM');
      return exited;
    };
    return { ...service, at: new Date(at), stop };
  }
  throw new Error('The service ended before it listened.');
};

describeStatements('on the embedded database', start);
