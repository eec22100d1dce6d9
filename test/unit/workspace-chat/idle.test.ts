import assert from 'node:assert/strict';
import { afterEach, beforeEach, it, mock } from 'node:test';
import { whenIdle } from '../../../src/workspace-chat/idle.ts';

/** The globals of a browser that the module uses. */
const page = { document: { readyState: 'interactive' }, requestIdleCallback: (run: () => void) => run() };
const names = [...Object.keys(page), 'addEventListener'];
const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
let onLoad: () => void;

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  page.document.readyState = 'interactive';
  Object.assign(globalThis, page, {
    addEventListener: (_type: string, listener: () => void) => {
      onLoad = listener;
    },
  });
});

afterEach(() => {
  mock.timers.reset();
  for (const [name, descriptor] of before)
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    else Reflect.deleteProperty(globalThis, name);
});

it('waits for the load of the page, and at most ten seconds for an image that hangs', async () => {
  const run = mock.fn();
  whenIdle(run);
  await Promise.resolve();
  assert.equal(run.mock.callCount(), 0);
  page.document.readyState = 'complete';
  onLoad();
  await new Promise(setImmediate);
  assert.equal(run.mock.callCount(), 1);
  mock.timers.tick(10_000);
  await new Promise(setImmediate);
  assert.equal(run.mock.callCount(), 1);
});

it('runs in a page that never loads', async () => {
  const { whenIdle: whenIdleAnew } = (await import(
    `${new URL('../../../src/workspace-chat/idle.ts', import.meta.url).href}?anew`
  )) as { whenIdle: typeof whenIdle };
  const run = mock.fn();
  whenIdleAnew(run);
  mock.timers.tick(9_999);
  await new Promise(setImmediate);
  assert.equal(run.mock.callCount(), 0);
  mock.timers.tick(1);
  await new Promise(setImmediate);
  assert.equal(run.mock.callCount(), 1);
});
