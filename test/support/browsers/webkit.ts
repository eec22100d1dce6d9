/** Finds or installs WebKitGTK on Debian, and starts its MiniBrowser on a virtual screen, driven by WebDriver. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setInterval } from 'node:timers/promises';
import { aptInstall, onPath } from './chromium.ts';
import { freePort } from '../servers/listen.ts';

const libraries = '/usr/lib';

const findBrowser = (): string | undefined =>
  existsSync(libraries)
    ? readdirSync(libraries)
        .filter((folder) => folder.endsWith('-linux-gnu'))
        .flatMap((folder) => ['webkitgtk-6.0', 'webkit2gtk-4.1'].map((version) => join(libraries, folder, version)))
        .map((folder) => join(folder, 'MiniBrowser'))
        .find((file) => existsSync(file))
    : undefined;

/** Returns the browser's path when the driver and the virtual screen are installed too. */
const find = (): string | undefined => (onPath('WebKitWebDriver') && onPath('Xvfb') ? findBrowser() : undefined);

/** Starts a virtual screen and returns its name for `DISPLAY`. */
const startScreen = async (): Promise<{ screen: ChildProcess; display: string }> => {
  const options = ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'];
  const screen = spawn('Xvfb', options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [number] = (await once(screen.stdio[3] as Readable, 'data')) as [Buffer];
  return { screen, display: `:${String(number).trim()}` };
};

/** A running WebKitWebDriver. It has one session at a time; the end of a session removes all that its pages have stored. */
export interface WebKitProcess {
  /** Sends a WebDriver command and returns its value. */
  send(method: string, path: string, body?: object): Promise<unknown>;
  /** Starts a session and returns its path. */
  startSession(): Promise<string>;
  stop(): void;
}

/** Returns undefined when there is no WebKitGTK and none can be installed. */
export const webkitPath = (): string | undefined =>
  find() ?? (aptInstall('webkit2gtk-driver', 'xvfb') ? find() : undefined);

/** Starts the driver on a virtual screen. */
export const startWebKit = async (binary: string): Promise<WebKitProcess> => {
  const children: ChildProcess[] = [];
  const stop = (): void => {
    for (const child of children) child.kill();
  };
  process.once('exit', stop);
  const [{ screen, display }, port] = await Promise.all([startScreen(), freePort()]);
  const env = { ...process.env, DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: '1' };
  children.push(spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' }), screen);
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + 60_000;
  for await (const _ of setInterval(100)) {
    if (await fetch(`${url}/status`).catch(() => null)) break;
    if (performance.now() > deadline) throw new Error('WebKitWebDriver did not start within a minute.');
  }
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(url + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: unknown };
    if (response.ok) return value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`WebKitWebDriver: ${error}: ${message}`);
  };
  return {
    send,
    async startSession() {
      const alwaysMatch = { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } };
      const { sessionId } = (await send('POST', '/session', { capabilities: { alwaysMatch } })) as {
        sessionId: string;
      };
      return `/session/${sessionId}`;
    },
    stop,
  };
};
