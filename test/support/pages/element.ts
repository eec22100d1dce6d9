/** Mounts the element on a scripted service in component tests. Import this file before any file of `src/`. */
import { chai } from '@open-wc/testing';
import type { WorkspaceChatElement } from '../../../src/element.ts';
import { fakeService, type FakeResponse } from '../fakes/fake-service.ts';

const idle = fakeService();
let current = idle;

// The element takes the global fetch when its module is loaded.
globalThis.fetch = (input, init) => current.fetch(input, init);
await import('../../../src/index.ts');

export interface Mounted {
  element: WorkspaceChatElement;
  service: ReturnType<typeof fakeService>;
  /** Finds an element in the shadow root. */
  find<Found extends Element = HTMLElement>(selector: string): Found;
  findAll<Found extends Element = HTMLElement>(selector: string): Found[];
}

/** How many times longer a test may take than on an idle machine. The runner defines it. */
declare const timeFactor: number;

const mounted = new Set<Element>();

const canBeCloned = (value: unknown): boolean => {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
};

// A failed assertion about an element would end its file without a result: Mocha would write out all that the element refers to,
// which takes forever, and Web Test Runner cannot send it. The message of the assertion names the element.
const { assert } = chai.Assertion.prototype;
chai.Assertion.prototype.assert = function (this: Chai.Assertion, ...parameters: Parameters<typeof assert>) {
  try {
    assert.apply(this, parameters);
  } catch (error) {
    const values = error as Record<string, unknown>;
    for (const name of ['actual', 'expected']) if (!canBeCloned(values[name])) delete values[name];
    throw error;
  }
};

/** Adds an element to the page, with its panel open unless `attributes` say otherwise. */
export const mount = async (
  responses: FakeResponse[] = [],
  attributes: Record<string, string> = {},
  prepare: (element: WorkspaceChatElement) => void = () => {},
): Promise<Mounted> => {
  current = fakeService(...responses);
  const element = document.createElement('workspace-chat');
  const all = {
    'base-url': '/api/v2',
    'publishable-key': 'svc_pk_test',
    'agent-id': 'agt_1',
    storage: 'memory',
    locale: 'en',
    mode: 'inline',
    ...attributes,
  };
  for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
  prepare(element);
  const box = document.createElement('div');
  box.style.blockSize = '500px';
  box.append(element);
  document.body.append(box);
  mounted.add(box);
  await element.updateComplete;
  const root = element.shadowRoot!;
  const find = <Found extends Element>(selector: string) => root.querySelector<Found>(selector)!;
  const result: Mounted = {
    element,
    service: current,
    find,
    findAll: (selector) => [...root.querySelectorAll<never>(selector)],
  };
  if (all.mode !== 'floating') await until(() => find('textarea'));
  return result;
};

/** Removes every mounted element. An element stops its work after its removal: until then, its service responds. */
export const unmountAll = async (): Promise<void> => {
  for (const box of mounted) box.remove();
  mounted.clear();
  await new Promise((resolve) => setTimeout(resolve));
  current = idle;
  sessionStorage.clear();
};

const others = new Set<Element>();

/** Adds an element of the page until the end of the test. */
export const addMarkup = (markup: string, to: Node = document.body): HTMLElement => {
  const template = document.createElement('template');
  template.innerHTML = markup;
  const added = template.content.firstElementChild as HTMLElement;
  others.add(added);
  to.appendChild(added);
  return added;
};

const { error } = console;

/** Records what the page's console reports as an error, in place of printing it, until the test has ended. */
export const recordErrors = (): string[] => {
  const texts: string[] = [];
  console.error = (...values: unknown[]) => void texts.push(values.join(' '));
  return texts;
};

// After each test of a file that imports this one.
afterEach(async () => {
  console.error = error;
  await unmountAll();
  for (const added of others) added.remove();
  others.clear();
});

/** Calls `look` in every frame and resolves to its first truthy result. */
export const until = async <Value>(look: () => Value): Promise<Exclude<Value, false | null | undefined>> => {
  for (
    const end = performance.now() + 20_000 * timeFactor;
    performance.now() < end;
    await new Promise(requestAnimationFrame)
  ) {
    const value = look();
    if (value) return value as Exclude<Value, false | null | undefined>;
  }
  throw new Error(`The condition never became true: ${look.toString()}`);
};

export const frames = async (count = 4): Promise<void> => {
  for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame);
};

/** Focuses the control and clicks it, as a mouse or the keyboard does. */
export const use = (control: HTMLElement): void => {
  control.focus();
  control.click();
};

/** Ends the animations of the page and of a chat. In Firefox and Safari, the list of the document has none of a shadow tree. */
export const finishAnimations = ({ shadowRoot }: Element): void => {
  for (const root of [document, shadowRoot!]) for (const animation of root.getAnimations()) animation.finish();
};

export const type = (field: HTMLTextAreaElement | HTMLInputElement, text: string): void => {
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
};

export const press = (target: Element, key: string, init: KeyboardEventInit = {}): KeyboardEvent => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...init });
  target.dispatchEvent(event);
  return event;
};
