/** `npm start`: runs the local service and the demo site until Ctrl+C. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eraseData } from '@workspace-chat/service';
import { createDemo } from './site.ts';

const dataDir = fileURLToPath(new URL('../.data', import.meta.url));
const print = (text: string) => console.log(text);

/** Prints the message without the stack, which does not help a user of the demo. */
const exitWithError = (error: unknown): never => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
};

if (process.argv.includes('--fresh')) {
  print('Deleting the stored data…');
  await eraseData(dataDir).catch(exitWithError);
}

const demo = await createDemo({ dataDir, onProgress: print }).catch(exitWithError);

print(`
  Demo       ${demo.url}
  Service    ${demo.config.baseUrl}
  Agent      ${demo.config.agentId}
  Key        ${demo.config.publishableKey}
${
  demo.secretKey
    ? `  Secret     ${demo.secretKey}
  Team       ${demo.url}team.html

  The service may call servers of this machine (allowLoopback). Do not allow this in production.
`
    : ''
}
  Stop with Ctrl+C. Start again with empty storage: npm start -- --fresh
`);

/** Opens the page in the default browser if the machine has a display. */
const open = (url: string): void => {
  const isRemote = Boolean(process.env['CI'] || process.env['SSH_CONNECTION']);
  const hasDisplay = process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
  if (isRemote || !hasDisplay) return;
  const commands: Partial<Record<NodeJS.Platform, [string, string[]]>> = {
    darwin: ['open', [url]],
    win32: ['cmd', ['/c', 'start', '', url]],
  };
  const [command, args] = commands[process.platform] ?? ['xdg-open', [url]];
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
};

open(demo.url);

let isStopping = false;
const stop = async () => {
  if (isStopping) process.exit(1);
  isStopping = true;
  print('Stopping…');
  await demo.close();
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
