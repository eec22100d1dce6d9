/** Creates one chat from a script tag, and handles the page's `WorkspaceChat(command, …)` calls. */
import type { DoctorOptions, DoctorReport } from '../doctor/doctor.ts';
import type { WorkspaceChatElement } from '../../workspace-chat/workspace-chat.ts';
import { whenIdle } from '../../workspace-chat/idle.ts';
import { attributeName } from '../../workspace-chat/attribute-name.ts';
import { keepMounted, mount } from './keep-mounted.ts';
import { isTargeted } from '../../workspace-chat/targeting.ts';
import { version } from '../../workspace-chat/version.ts';

/** The methods of the element. */
export const methods = [
  'show',
  'hide',
  'toggle',
  'send',
  'stop',
  'setDraft',
  'identify',
  'logout',
  'reset',
  'registerTool',
  'registerBlock',
  'registerLocale',
  'receive',
  'showTeaser',
  'suggest',
  'closeTopmost',
] as const;

type Method = (typeof methods)[number];

/** The commands that are methods of the chat itself. */
const commands = /^(configure|destroy|on|off|ready|consent|doctor)$/;

/** The element's properties in camelCase, and the options of the script tag. */
export interface EmbedOptions {
  /** Path patterns, separated by spaces or commas. See `isTargeted`. */
  onlyOn?: string | null;
  notOn?: string | null;
  /** Milliseconds after the page's first idle time. */
  delay?: number | string;
  [name: string]: string | number | boolean | object | null | undefined;
}

/** The page's global function. Before the script is loaded, the page's own snippet collects calls in `q`. */
export interface WorkspaceChatCommand {
  (command: string, ...args: unknown[]): unknown;
  q?: Parameters<WorkspaceChatCommand>[];
  /** The version and the attributes of the script tag that has created the chat. */
  tag?: string;
}

export interface EmbedDependencies {
  /** Loads the module that defines the tag. */
  load: () => Promise<{ doctor: (options: DoctorOptions) => Promise<DoctorReport> }>;
  /** Whether the script tag may lack its `data-*` attributes, for pages with their own elements. */
  isOptional?: boolean;
}

/** One chat, from its configuration until it is destroyed. */
interface ChatInstance {
  element: WorkspaceChatElement;
  /** Resolves with the element when it is on the page, or with null when it was destroyed before. */
  mounted: Promise<WorkspaceChatElement | null>;
  resolve: (element: WorkspaceChatElement | null) => void;
  /** Whether the delay is over, or the page has requested the chat. */
  isReady?: boolean;
  /** Stops putting the element back. */
  release?: () => void;
}

/** The prefix of the element's events. */
const prefix = 'workspace-chat-';

/** `document.open()` removes every listener: a chat has lost its own then, and does not work any more. */
const isAlive = (): boolean => !dispatchEvent(new Event(prefix, { cancelable: true }));

const required = ['baseUrl', 'publishableKey', 'agentId'];

/** The browser names the file. The doctor is such a file, too. */
const fileMissing =
  'a file beside the script could not be loaded: check its URL and type, CORS, script-src, integrity.';

const doctorHint = "→ type WorkspaceChat('doctor') for help";

let reported = '';

/** Logs a mistake in the installation, once. */
const report = (mistake: string, ...details: unknown[]): void => {
  if (mistake === reported) return;
  reported = mistake;
  console.error('workspace-chat:', mistake, ...details, mistake === fileMissing ? '' : doctorHint);
};

const createInstance = (): ChatInstance => {
  let resolve!: ChatInstance['resolve'];
  const mounted = new Promise<WorkspaceChatElement | null>((settle) => {
    resolve = settle;
  });
  return { element: document.createElement('workspace-chat'), mounted, resolve };
};

/** Sets strings and booleans as attributes, and everything else as properties. */
const apply = (element: WorkspaceChatElement, options: EmbedOptions): void => {
  // Where the chat cannot run, the element has no attributes.
  const { observedAttributes } = element.constructor as Partial<typeof WorkspaceChatElement>;
  for (const [name, value] of Object.entries(options)) {
    const attribute = attributeName(name);
    if (value === undefined) continue;
    if (typeof value === 'object' || typeof value === 'function') Object.assign(element, { [name]: value });
    else if (!observedAttributes?.includes(attribute)) continue;
    // Without a `consent`, messages get through: `false` is a value of it.
    else if (String(value) === 'false' && name !== 'consent') element.removeAttribute(attribute);
    else element.setAttribute(attribute, String(value));
  }
};

class EmbeddedChat {
  readonly #data: EmbedOptions;
  readonly #dependencies: EmbedDependencies;
  #options: EmbedOptions;
  #instance = createInstance();
  #isActive = true;

  constructor(data: EmbedOptions, dependencies: EmbedDependencies) {
    this.#data = data;
    this.#dependencies = dependencies;
    this.#options = { ...data };
  }

  /** Mounts the chat when the page is idle and the delay is over, and follows the page's navigations. */
  start(): void {
    this.#schedule();
    addEventListener(prefix, (event) => event.preventDefault());
    const updateMount = () => void this.#updateMount();
    addEventListener('popstate', updateMount);
    // The Navigation API reports pages that scripts change. Without it, the site calls `configure`.
    (window as { navigation?: EventTarget }).navigation?.addEventListener('currententrychange', updateMount);
    // On the page, the element itself handles the click.
    document.addEventListener('click', (event) => {
      const selector = this.#options.launcherSelector;
      if (this.#instance.element.isConnected || !this.#isActive || !selector) return;
      try {
        const isOpener = (node: EventTarget) => (node as Partial<Element>).matches?.(selector as string);
        if (event.composedPath().some(isOpener)) void this.call('show', []);
      } catch {
        // The element names a selector that is none.
      }
    });
  }

  async configure(changed: EmbedOptions = {}): Promise<void> {
    Object.assign(this.#options, changed);
    if (this.#instance.element.isConnected) apply(this.#instance.element, changed);
    if (!this.#isActive) {
      this.#isActive = true;
      this.#schedule();
    }
    await this.#updateMount();
  }

  async destroy(): Promise<void> {
    this.#isActive = false;
    this.#instance.release?.();
    this.#instance.element.remove();
    this.#instance.resolve(null);
    this.#instance = createInstance();
    this.#options = { ...this.#data };
  }

  on(name: string, listener: EventListener): () => void {
    // The element knows only the listeners that are added after its code is loaded.
    if (name === 'feedback') this.#options.feedback = true;
    this.#instance.element.addEventListener(prefix + name, listener);
    return () => this.off(name, listener);
  }

  async off(name: string, listener: EventListener): Promise<void> {
    this.#instance.element.removeEventListener(prefix + name, listener);
  }

  async ready(callback?: (element: WorkspaceChatElement) => void): Promise<void> {
    const element = await this.#instance.mounted;
    await element?.ready;
    if (element) callback?.(element);
  }

  /** What the visitor has chosen in the site's own dialog. */
  async consent(isGiven = true): Promise<void> {
    await this.ready((element) => Object.assign(element, { consent: isGiven }));
  }

  async doctor(options?: DoctorOptions): Promise<DoctorReport | null> {
    try {
      const { doctor } = await this.#dependencies.load();
      return await doctor({ ...this.#options, ...options });
    } catch (error) {
      console.error('workspace-chat:', fileMissing, error);
      return null;
    }
  }

  /** Calls a method of the element once it is on the page. */
  async call(method: Method, args: unknown[]): Promise<unknown> {
    if (method === 'show' || method === 'toggle' || method === 'send') this.#mountNow();
    const element = await this.#instance.mounted;
    return (element as Partial<Record<Method, (...values: unknown[]) => unknown>> | null)?.[method]?.(...args);
  }

  #mountNow(): void {
    this.#instance.isReady = true;
    void this.#updateMount();
  }

  #schedule(): void {
    const scheduled = this.#instance;
    const mountScheduled = () => scheduled === this.#instance && this.#mountNow();
    // The page may configure the delay until then.
    whenIdle(() => setTimeout(mountScheduled, Number(this.#options.delay) || 0));
  }

  /** Adds the chat to the page or removes it, depending on the page's path and the delay. */
  async #updateMount(): Promise<void> {
    const mounting = this.#instance;
    const { element } = mounting;
    const shouldMount = () =>
      mounting === this.#instance &&
      this.#isActive &&
      isAlive() &&
      isTargeted(location.pathname, this.#options.onlyOn, this.#options.notOn);
    if (!shouldMount()) return element.remove();
    if (!mounting.isReady || !(await this.#load()) || !shouldMount() || element.isConnected) return;
    customElements.upgrade(element);
    apply(element, this.#options);
    mount(element);
    mounting.release ??= keepMounted(element, shouldMount);
    mounting.resolve(element);
  }

  /** Loads the module. Returns false when the configuration is incomplete or the module cannot be loaded. */
  async #load(): Promise<boolean> {
    const { load, isOptional } = this.#dependencies;
    const missing = required.filter((name) => !this.#options[name]);
    if (missing.length > 0) {
      if (isOptional && missing.length === required.length) return false;
      const names = missing.map((name) => `data-${attributeName(name)}`).join(', ');
      report(`the script tag lacks ${names}. Nothing is loaded or sent.`);
      return false;
    }
    try {
      await load();
      return true;
    } catch (error) {
      report(fileMissing, error);
      return false;
    }
  }
}

/** @param data The script tag's `data-*` attributes. */
export const embed = (data: DOMStringMap, dependencies: EmbedDependencies): void => {
  const page = window as { WorkspaceChat?: WorkspaceChatCommand };
  const tag = [version, ...Object.values(data)].join();
  const earlier = page.WorkspaceChat;
  if (isAlive()) {
    // Navigations that replace the body run its scripts again.
    if (earlier?.tag !== tag) console.warn('workspace-chat: this page already has a chat, and ignores the second tag.');
    return;
  }
  if (earlier?.tag !== undefined) void earlier('destroy');
  const chat = new EmbeddedChat(data, dependencies);
  const command: WorkspaceChatCommand = (name, ...args) => {
    // The next chat takes over what the page calls before its script has loaded.
    if (name !== 'destroy' && !isAlive()) return void (command.q ??= []).push([name, ...args]);
    if (commands.test(name))
      return (chat as unknown as Record<string, WorkspaceChatCommand>)[name]!(...(args as [string]));
    if (methods.includes(name as Method)) return chat.call(name as Method, args);
    console.error(`workspace-chat: there is no command “${name}”.`);
    return Promise.resolve();
  };
  const queued = earlier?.q ?? [];
  command.tag = tag;
  page.WorkspaceChat = command;
  chat.start();
  for (const [name, ...args] of queued) void command(name, ...args);
};
