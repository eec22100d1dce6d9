/** Acts in the page as the visitor and the site do, through the public element and its rendered controls. */
import { itemAt } from '../random.ts';
import { activity, moveClock, nextTask } from './clock.ts';
import { failStorage } from './browser-faults.ts';
import { dumpDatabases } from './dump.ts';
import { strings as ar } from '../../../src/locale/ar.ts';
import { strings as en } from '../../../src/locale/en.ts';
import type { Entry, PageSettings, SessionVisitor, Snapshot } from './settings.ts';

/** The labels of the buttons that a visitor clicks, in both languages. */
const labels = {
  sendAgain: [en.sendAgain, ar.sendAgain],
  askAgain: [en.askAgain, ar.askAgain],
  edit: [en.edit, ar.edit],
  stop: [en.stop, ar.stop],
} as const;

const eventNames = [
  'ready',
  'open',
  'close',
  'send',
  'message',
  'conversation',
  'state',
  'tool',
  'lead',
  'unread',
  'link',
  'form',
  'error',
];

/** The element's public members, as every version of the widget has them. */
interface ChatElement extends HTMLElement {
  contact: unknown;
  readonly busy: boolean;
  send(text: string): Promise<unknown>;
  identify(contact: unknown): void;
  logout(): Promise<void>;
  reset(): Promise<void>;
  registerTool(tool: object): unknown;
}

const nativeFetch = globalThis.fetch.bind(globalThis);
const events: string[] = [];
const pendingSends = new Map<number, string>();
let sendCount = 0;
let settings: PageSettings;

const element = () => document.querySelector('workspace-chat') as ChatElement;
const root = () => element().shadowRoot!;
const all = <Found extends Element>(selector: string) => [...root().querySelectorAll<Found>(selector)];
const composer = () => root().querySelector('textarea');

const encode = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '');

/** Returns what the site passes to the element for a signed-in visitor. */
const contactOf = (visitor: SessionVisitor): unknown => {
  if (!visitor) return null;
  const hash = { user_id: `customer-${visitor}`, user_hash: `hash-of-${visitor}` };
  const token = { token: `${encode({ alg: 'HS256' })}.${encode({ sub: `customer-${visitor}` })}.c2lnbmF0dXJl` };
  const { contact } = settings.environment;
  if (contact === 'slow function') return () => new Promise((resolve) => setTimeout(() => resolve(hash), 3_000));
  return contact === 'hash' ? hash : contact === 'token' ? token : async () => hash;
};

const create = (visitor: SessionVisitor): void => {
  const { environment, baseUrl } = settings;
  const made = document.createElement('workspace-chat') as ChatElement;
  const attributes = {
    'base-url': baseUrl,
    'publishable-key': 'svc_pk_test',
    'agent-id': 'agt_1',
    mode: 'inline',
    locale: environment.locale,
    streaming: environment.streaming,
    storage: environment.storage === 'memory' ? 'memory' : 'indexeddb',
  };
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.style.cssText = 'display:block;block-size:600px;inline-size:400px';
  if (visitor) made.contact = contactOf(visitor);
  document.body.append(made);
  void customElements.whenDefined('workspace-chat').then(() => {
    made.registerTool({ name: 'look_up_order', run: () => ({ found: true }) });
    new MutationObserver(() => activity.count++).observe(made.shadowRoot!, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  });
};

const setValue = (field: HTMLInputElement | HTMLTextAreaElement, value: string): void => {
  field.value = value;
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
};

const textOf = (node: Element | null | undefined): string => (node?.textContent ?? '').replaceAll(/\s+/g, ' ').trim();

const entryOf = (box: Element): Entry => ({
  author: box.classList.contains('visitor') ? 'visitor' : 'assistant',
  text: [box.querySelector('.bubble:not([hidden])'), ...box.querySelectorAll('.block')]
    .map(textOf)
    .filter(Boolean)
    .join(' | '),
  note: box.querySelector('.meta') ? textOf(box.querySelector('.meta')) : '(streaming)',
});

/** The greeting is a message outside of any message element. */
const boxes = () => all<Element>('workspace-chat-message.message');

/** The text of the message that a button belongs to. Of a reply, the question before it. */
const subjectOf = (button: Element): string => {
  const box = button.closest('.message');
  const known = boxes();
  const place = known.findIndex((each) => each === box);
  if (!box || place < 0) return '';
  const question = box.classList.contains('visitor')
    ? box
    : known.slice(0, place).findLast((each) => each.classList.contains('visitor'));
  return textOf(question?.querySelector('.bubble'));
};

const liveRegion = () => root().querySelector('.announcer');

const renderedHtml = (): string => {
  const values = [composer(), ...openFields()].map((field) => field?.value ?? '');
  return [element().outerHTML, root().innerHTML.replace(liveRegion()?.innerHTML || '-', ''), ...values].join('\n');
};

const isEnabled = (control: Element) => !(control as HTMLButtonElement).disabled;

const clickOne = (controls: HTMLElement[], dice: number): { subject: string; label: string } | null => {
  const control = itemAt(controls.filter(isEnabled), dice);
  if (!control) return null;
  const clicked = { subject: subjectOf(control), label: textOf(control) };
  control.click();
  return clicked;
};

const openFields = () => all<HTMLInputElement>('form[part~="form"] input[part~="field"]');

export const agent = {
  /** Resolves when the visitor can type. */
  ready: (): Promise<boolean> =>
    new Promise((resolve) => {
      const look = () => {
        if (element().shadowRoot?.querySelector('textarea')) resolve(true);
        else requestAnimationFrame(look);
      };
      look();
    }),

  setTime: (now: number): void => void moveClock(now),

  /** Sets the time, and settles after round trips through the network, the locks and the tasks of the page. */
  pulse: async (
    now: number,
  ): Promise<{ count: number; pending: number; locks: string; nextTimerAt: number | null }> => {
    const nextTimerAt = moveClock(now);
    await nativeFetch(settings.probeUrl).catch(() => {});
    const { locks } = navigator as { locks?: LockManager };
    const { held = [], pending = [] } = (await locks?.query()) ?? {};
    await nextTask();
    await nextTask();
    const { count, pending: pendingCount } = activity;
    return { count, pending: pendingCount, locks: `${held.length} ${pending.length}`, nextTimerAt };
  },

  failStorage,
  dump: dumpDatabases,

  snapshot: (): Snapshot => ({
    entries: boxes().map(entryOf),
    composer: composer()?.value ?? '',
    banner: textOf(root().querySelector('.banner')),
    isBusy: element().busy,
    html: renderedHtml(),
    announcement: textOf(liveRegion()),
    events: events.splice(0),
    localStorage: JSON.stringify(Object.entries(localStorage)),
    sessionStorage: JSON.stringify(Object.entries(sessionStorage)),
    url: location.href,
    pendingSends: [...pendingSends.values()],
  }),

  /** Whether no turn is in progress, nor waits for one. */
  isIdle: (): boolean => !element().busy && pendingSends.size === 0,

  /** Types a text after the one in the composer, or instead of it. Returns the text that was there. */
  type: (text: string, isReplacing: boolean): string | null => {
    const field = composer();
    if (!field) return null;
    const before = field.value;
    setValue(field, isReplacing || !before ? text : `${before} ${text}`);
    return before;
  },

  /** Presses Enter in the composer. Returns the text that left it. */
  pressEnter: async (): Promise<string> => {
    const field = composer();
    const before = field?.value ?? '';
    field?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true, cancelable: true }),
    );
    await nextTask();
    return composer()?.value === before ? '' : before;
  },

  click: (name: keyof typeof labels, dice: number) => {
    const wanted: readonly string[] = labels[name];
    const isWanted = (button: Element) =>
      wanted.includes(textOf(button)) || wanted.includes(button.getAttribute('aria-label') ?? '');
    return clickOne(all<HTMLElement>('button').filter(isWanted), dice);
  },

  /** Chooses an option. Returns its label and the message that it is in. */
  choose: (dice: number) => clickOne(all<HTMLElement>('button[part~="option"]'), dice),

  /** Types a text into an open form. Returns false when there is none. */
  fillForm: (text: string, dice: number): boolean => {
    const field = itemAt(openFields().filter(isEnabled), dice);
    if (field) setValue(field, `${field.value} ${text}`.trim());
    return field !== undefined;
  },

  /** Submits an open form that has a value. Returns the value, or null when there is no such form. */
  submitForm: (dice: number): string | null => {
    const field = itemAt(
      openFields().filter(({ value }) => value),
      dice,
    );
    const button = field?.form?.querySelector('button');
    if (!field || !button || button.disabled) return null;
    const { value } = field;
    button.click();
    return value;
  },

  sendByPage: (text: string): void => {
    const number = ++sendCount;
    pendingSends.set(number, text);
    void element()
      .send(text)
      .finally(() => pendingSends.delete(number));
  },

  identify: (visitor: SessionVisitor): void => {
    if (visitor) element().identify(contactOf(visitor));
    else void element().logout();
  },

  logout: (): void => void element().logout(),

  renderAgain: (visitor: SessionVisitor): void => void (element().contact = contactOf(visitor)),

  replace: (visitor: SessionVisitor): void => {
    element().remove();
    create(visitor);
  },

  move: (): void => document.body.append(element()),

  clearLocalStorage: (): void => localStorage.clear(),

  reset: (next: 'stay' | 'replace' | 'navigate', visitor: SessionVisitor): void => {
    void element().reset();
    if (next === 'replace') {
      element().remove();
      create(visitor);
    }
    if (next === 'navigate') location.reload();
  },

  setHidden: (isHidden: boolean): void => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden });
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: isHidden ? 'hidden' : 'visible' });
    document.dispatchEvent(new Event('visibilitychange'));
  },

  /** Enters the back/forward cache, or is restored from it. */
  cache: (event: 'pagehide' | 'pageshow'): void =>
    void dispatchEvent(new PageTransitionEvent(event, { persisted: true })),
};

export const startAgent = (given: PageSettings): void => {
  settings = given;
  for (const name of eventNames) {
    addEventListener(`workspace-chat-${name}`, (event) => {
      activity.count++;
      events.push(JSON.stringify([event.type, Object.entries(event)]));
    });
  }
  create(settings.visitor);
};
