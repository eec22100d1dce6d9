/** Runs test files with Node's test runner, several in each process. */
import { spawn, type ChildProcess } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { compiledPath, compileTests, runFolder } from './compile.ts';
import { add, describeCount, emptyCount, type Count } from './count.ts';
import type { Order } from './test-process.ts';
import type { Report } from './test-reporter.ts';
import { wasmFlags } from './wasm-flags.ts';

const flags = ['--enable-source-maps', ...wasmFlags];

interface Options {
  /** Processes at the same time. */
  concurrency: number;
  /** Files that run in one process. The default is no limit. */
  filesPerProcess?: number;
  /** Milliseconds that a file may take. */
  fileLimit: number;
  /** Variables for this run only. */
  environment?: Record<string, string>;
  /** Receives the lines about each file. The default prints them. */
  print?(text: string): void;
}

/** A file to run, with the path that it was compiled to. */
interface TestFile {
  name: string;
  path: string;
}

/** Runs the files of the tests. */
export const runNodeTests = async (files: string[], options: Options): Promise<Count> => {
  if (files.length === 0) return emptyCount();
  await compileTests(files);
  const environment = { ...options.environment, TEST_FOLDER: runFolder };
  return runCompiled(
    files.map((name) => ({ name, path: compiledPath(name) })),
    { ...options, environment },
  );
};

/** Runs compiled files, and prints one line for each. */
export const runCompiled = async (files: TestFile[], options: Options): Promise<Count> => {
  const queue = [...files];
  let total = emptyCount();
  const onCount = (count: Count) => (total = add(total, count));
  const runQueue = async () => {
    while (queue.length > 0) await runProcess(queue, options, onCount);
  };
  await Promise.all(Array.from({ length: options.concurrency }, runQueue));
  return total;
};

/** Runs files of the queue in a new process, until the queue is empty or the process has ended. */
const runProcess = (queue: TestFile[], options: Options, onCount: (count: Count) => void): Promise<void> =>
  new Promise((resolve) => {
    const { filesPerProcess = Number.POSITIVE_INFINITY, fileLimit, print = console.log } = options;
    const child = startProcess(options.environment);
    const end = () => endGroup(child);
    process.once('exit', end);
    let current: TestFile | undefined;
    let last = '';
    let started = 0;
    let hasFailed = false;
    let timer: NodeJS.Timeout | undefined;
    const finish = (count: Count, details = '') => {
      const { failures } = count;
      hasFailed ||= failures.length > 0;
      print(`${failures.length > 0 ? '✖' : '✔'} ${current!.name}: ${describeCount(count)}${details}`);
      onCount({ ...count, failures: failures.map((title) => `${current!.name} › ${title}`) });
      current = undefined;
    };
    const next = () => {
      clearTimeout(timer);
      current = started++ < filesPerProcess ? queue.shift() : undefined;
      const order: Order = current ? { name: current.name, url: pathToFileURL(current.path).href } : 'end';
      child.send(order, () => {});
      timer = setTimeout(end, fileLimit);
    };
    child.on('message', (report: Report) => {
      if ('test' in report) {
        last = report.test;
        return;
      }
      finish(report.count, ` in ${report.times}\n${report.output}`.trimEnd());
      next();
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      process.off('exit', end);
      end();
      // Without a failed test, an error outside of the tests has ended the process.
      if (current || (code !== 0 && !hasFailed)) {
        current ??= { name: 'after the last file', path: '' };
        finish({ ...emptyCount(), failures: [`“${last}”: the process has ended with ${signal ?? `code ${code}`}`] });
      }
      resolve();
    });
    next();
  });

const startProcess = (environment: Record<string, string> = {}): ChildProcess => {
  const reporter = `--test-reporter=${pathToFileURL(compiledPath('test/support/test-reporter.ts')).href}`;
  return spawn(process.execPath, [...flags, reporter, compiledPath('test/support/test-process.ts')], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // It leads a group that ends as a whole, because a test may have started a service or a database.
    detached: true,
  });
};

/** Ends a process with all that it has started. */
const endGroup = ({ pid }: ChildProcess): void => {
  try {
    process.kill(-pid!, 'SIGKILL');
  } catch {
    // The group is empty.
  }
};
