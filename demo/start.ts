/** `npm start`: the local service and the demo site, together, until Ctrl+C. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eraseData } from '../service/db/erase.ts';
import { createDemo } from './site.ts';

const dataDir = fileURLToPath(new URL('../.data', import.meta.url));
const say = (text: string) => console.log(text);

/** Says why in a sentence: a stack would tell a reader of the terminal nothing. */
const giveUp = (error: unknown): never => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
};

if (process.argv.includes('--fresh')) {
  say('Forgetting what was kept…');
  await eraseData(dataDir).catch(giveUp);
}

const demo = await createDemo({ dataDir, onProgress: say }).catch(giveUp);

say(`
  Demo       ${demo.url}
  Service    ${demo.config.baseUrl}
  Agent      ${demo.config.agentId}
  Key        ${demo.config.publishableKey}
${
  demo.secretKey
    ? `  Secret     ${demo.secretKey}
  Team       ${demo.url}team.html

  The service may call this machine's own servers (allowLoopback), as no service in earnest should.
`
    : ''
}
  Stop with Ctrl+C. Begin anew with: npm start -- --fresh
`);

/** Opens the page in the visitor's browser, where there is a display. */
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
  say('Stopping…');
  await demo.close();
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
