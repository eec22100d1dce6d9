/** Drives WebKitGTK through WebDriver. */
import { setInterval } from 'node:timers/promises';
import { locate, type Driver, type Tab, type Target } from './driver.ts';
import { startWebKit, webkitPath } from './webkit.ts';

/** WebDriver’s characters of named keys. */
const keys = { enter: '\uE007', escape: '\uE00C' };
/** The member that holds the id of an element in WebDriver's JSON. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** A script that evaluates an expression and reports its value as JSON, or why there is none. */
const scriptOf = (expression: string): string => `
  const done = arguments[0];
  // A library of the page may have added a toJSON() to all arrays.
  const serialize = (value) => {
    const { toJSON } = Array.prototype;
    delete Array.prototype.toJSON;
    const json = JSON.stringify(value);
    if (toJSON) Array.prototype.toJSON = toJSON;
    return json;
  };
  (async () => (${expression}))().then(
    (value) => done({ json: serialize(value) }),
    (error) => done({ problem: String(error) }),
  );`;

type Send = Awaited<ReturnType<typeof startWebKit>>['send'];

/** The tab in a window of a session. */
const tabIn = (send: Send, session: string, handle: string, onClosed: () => void): Tab => {
  const command = async (path: string, body: object = {}): Promise<unknown> => {
    await send('POST', `${session}/window`, { handle });
    return send('POST', session + path, body);
  };
  const find = async (target: Target): Promise<string> => {
    const deadline = performance.now() + 60_000;
    for await (const _ of setInterval(100)) {
      const found = await command('/execute/sync', { script: `return ${locate(target)}`, args: [] });
      if (found) return (found as Record<string, string>)[elementKey]!;
      if (performance.now() > deadline) break;
    }
    throw new Error(`There is no element ${JSON.stringify(target)}.`);
  };
  return {
    goto: async (url) => void (await command('/url', { url })),
    reload: async () => void (await command('/refresh')),
    click: async (target) => void (await command(`/element/${await find(target)}/click`)),
    async type(target, text) {
      await command(`/element/${await find(target)}/value`, {
        text: text.replaceAll('\n', keys.enter).replaceAll('\x1b', keys.escape),
      });
    },
    async evaluate<Value>(expression: string) {
      const { json, problem } = (await command('/execute/async', { script: scriptOf(expression), args: [] })) as {
        json?: string;
        problem?: string;
      };
      if (problem !== undefined) throw new Error(problem);
      return (json === undefined ? undefined : JSON.parse(json)) as Value;
    },
    async close() {
      await send('POST', `${session}/window`, { handle });
      await send('DELETE', `${session}/window`);
      onClosed();
    },
  };
};

/** Returns null when there is no WebKitGTK and none can be installed. */
export const openWebKit = async (): Promise<Driver | null> => {
  const binary = webkitPath();
  if (!binary) return null;
  const { send, startSession, stop } = await startWebKit(binary);
  const session = await startSession();
  const windows = new Set<string>();

  return {
    async openTab() {
      let handle: string;
      if (windows.size === 0) handle = (await send('GET', `${session}/window`)) as string;
      else {
        // The window of the last command may be closed.
        await send('POST', `${session}/window`, { handle: [...windows][0] });
        ({ handle } = (await send('POST', `${session}/window/new`, { type: 'tab' })) as { handle: string });
      }
      windows.add(handle);
      return tabIn(send, session, handle, () => windows.delete(handle));
    },
    async close() {
      await send('DELETE', session).catch(() => {});
      stop();
    },
  };
};
