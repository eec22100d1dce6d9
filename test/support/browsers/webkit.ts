/** WebKitGTK for Web Test Runner: its MiniBrowser on a screen in memory, driven through WebDriver. Debian alone. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserLauncher } from '@web/test-runner';
import { aptInstall, onPath } from './chromium.ts';

const libraries = '/usr/lib';

const findBrowser = (): string | undefined =>
  existsSync(libraries)
    ? readdirSync(libraries)
        .filter((folder) => folder.endsWith('-linux-gnu'))
        .flatMap((folder) => ['webkitgtk-6.0', 'webkit2gtk-4.1'].map((version) => join(libraries, folder, version)))
        .map((folder) => join(folder, 'MiniBrowser'))
        .find((file) => existsSync(file))
    : undefined;

/** The browser's path, when there is all that it takes to drive it. */
const find = (): string | undefined => (onPath('WebKitWebDriver') && onPath('Xvfb') ? findBrowser() : undefined);

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

/** A screen that nobody sees, and its name for `DISPLAY`. */
const startScreen = async (): Promise<{ screen: ChildProcess; display: string }> => {
  const options = ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'];
  const screen = spawn('Xvfb', options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [number] = (await once(screen.stdio[3] as Readable, 'data')) as [Buffer];
  return { screen, display: `:${String(number).trim()}` };
};

/** Null where there is no WebKitGTK, and none can be installed. */
export const webkitLauncher = (): BrowserLauncher | null => {
  const binary = find() ?? (aptInstall('webkit2gtk-driver', 'xvfb') ? find() : undefined);
  if (!binary) return null;

  const children: ChildProcess[] = [];
  const stop = () => children.forEach((child) => child.kill());
  let driverUrl = '';
  let session: string | null = null;
  let running: string | null = null;

  const ask = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(driverUrl + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await answer.json()) as { value: Record<string, unknown> };
    if (!answer.ok) throw new Error(`WebKitWebDriver: ${String(value['error'])}: ${String(value['message'])}`);
    return value;
  };

  /** The driver has one session at a time; with it goes all that the page has stored. */
  const endSession = async (): Promise<void> => {
    if (session) await ask('DELETE', `/session/${session}`);
    session = null;
  };

  return {
    name: 'WebKitGTK',
    type: 'webdriver',
    concurrency: 1,
    async initialize() {
      process.once('exit', stop);
      const [{ screen, display }, port] = await Promise.all([startScreen(), freePort()]);
      const env = { ...process.env, DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: '1' };
      const driver = spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' });
      children.push(driver, screen);
      driverUrl = `http://127.0.0.1:${port}`;
      for (let tries = 0; !(await fetch(`${driverUrl}/status`).catch(() => null)); tries++) {
        if (tries > 100) throw new Error('WebKitWebDriver does not start.');
        await wait(100);
      }
    },
    async startSession(id, url) {
      const alwaysMatch = { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } };
      const { sessionId } = await ask('POST', '/session', { capabilities: { alwaysMatch } });
      session = String(sessionId);
      running = id;
      await ask('POST', `/session/${session}/url`, { url });
    },
    isActive: (id) => running === id,
    getBrowserUrl: () => undefined,
    async stopSession() {
      running = null;
      await endSession();
      return {};
    },
    async stop() {
      await endSession().catch(() => {});
      stop();
    },
    async startDebugSession() {
      throw new Error('WebKitGTK shows no window to debug in.');
    },
  };
};
