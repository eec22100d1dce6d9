/** Puts one chat on the page from what a script tag says, and answers the page's `WorkspaceChat(command, …)`. */
import type { DoctorOptions, DoctorReport } from '../doctor/doctor.ts';
import type { WorkspaceChatElement } from '../../workspace-chat/workspace-chat.ts';
import { whenIdle } from '../../workspace-chat/idle.ts';
import { isTargeted } from './targeting.ts';

const methods = [
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
  'receive',
] as const;

type Method = (typeof methods)[number];

/** The element's attributes and properties in camelCase, and what only the script tag has. */
export interface EmbedOptions {
  /** Path patterns between spaces or commas; see `isTargeted`. */
  onlyOn?: string | null;
  notOn?: string | null;
  /** Milliseconds from the page's first idle time. */
  delay?: number | string;
  [name: string]: string | number | boolean | object | null | undefined;
}

/** The page's one global; before the script has loaded, a function of the page that collects calls in `q`. */
export interface WorkspaceChatCommand {
  (command: string, ...given: unknown[]): unknown;
  q?: Parameters<WorkspaceChatCommand>[];
  isLoaded?: boolean;
}

export interface EmbedParts {
  /** Loads the module that defines the tag. */
  load: () => Promise<{ doctor: (options: DoctorOptions) => Promise<DoctorReport> }>;
  /** The tag may be on the page without any `data-*`: the page has elements of its own. */
  isOptional?: boolean;
}

/** One chat from its configuration to its end. */
interface Life {
  element: WorkspaceChatElement;
  /** Resolves with the element once it is on the page; with null when it was destroyed first. */
  mounted: Promise<WorkspaceChatElement | null>;
  resolve: (element: WorkspaceChatElement | null) => void;
  /** Idle time and delay are over, or somebody asked for it. */
  isDue: boolean;
}

const required = { baseUrl: 'data-base-url', publishableKey: 'data-publishable-key', agentId: 'data-agent-id' };

const beginLife = (): Life => {
  let resolve: Life['resolve'] = () => {};
  const mounted = new Promise<WorkspaceChatElement | null>((settle) => {
    resolve = settle;
  });
  return { element: document.createElement('workspace-chat'), mounted, resolve, isDue: false };
};

/** Text and yes or no become attributes, anything else properties. */
const apply = (element: WorkspaceChatElement, options: EmbedOptions): void => {
  const { observedAttributes } = element.constructor as typeof WorkspaceChatElement;
  for (const [name, value] of Object.entries(options)) {
    const attribute = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (value === undefined) continue;
    if (typeof value === 'object' || typeof value === 'function') Object.assign(element, { [name]: value });
    else if (!observedAttributes.includes(attribute)) continue;
    else if (String(value) === 'false') element.removeAttribute(attribute);
    else element.setAttribute(attribute, value === true ? '' : String(value));
  }
};

/** @param data The script tag's `data-*` attributes. */
export const embed = (data: EmbedOptions, { load, isOptional }: EmbedParts): void => {
  const page = window as { WorkspaceChat?: WorkspaceChatCommand };
  if (page.WorkspaceChat?.isLoaded) {
    console.warn(
      'workspace-chat: this page has its embedded chat already; the second script tag is ignored. Change the chat with WorkspaceChat("configure", …); for several agents use <workspace-chat> elements.',
    );
    return;
  }
  let options: EmbedOptions = { ...data };
  let life = beginLife();
  let isActive = true;

  /** Puts the chat on the page, or takes it off, as the page's path and the time say. */
  const place = async (): Promise<void> => {
    const placed = life;
    const { element } = placed;
    const isWanted = () => placed === life && isActive && isTargeted(location.pathname, options.onlyOn, options.notOn);
    if (!isWanted()) return element.remove();
    if (!placed.isDue || element.isConnected) return;
    const missing = Object.entries(required).filter(([name]) => !options[name]);
    if (missing.length > 0) {
      if (isOptional && missing.length === 3) return;
      const names = missing.map(([, attribute]) => attribute).join(', ');
      console.error(`workspace-chat: its script tag lacks ${names}. Nothing is loaded and nothing is sent.`);
      return;
    }
    try {
      await load();
    } catch (error) {
      console.error(
        'workspace-chat: it could not be loaded. Are all its files beside the script, readable from this page (CORS), and allowed by its Content-Security-Policy (script-src)?',
        error,
      );
      return;
    }
    if (!isWanted() || element.isConnected) return;
    customElements.upgrade(element);
    apply(element, options);
    document.body.append(element);
    placed.resolve(element);
  };

  const hurry = (): void => {
    life.isDue = true;
    void place();
  };

  const schedule = (): void => {
    const scheduled = life;
    whenIdle(() => setTimeout(() => scheduled === life && hurry(), Number(options.delay) || 0));
  };

  const call = async (method: Method, given: unknown[]): Promise<unknown> => {
    if (method === 'show' || method === 'toggle' || method === 'send') hurry();
    const element = await life.mounted;
    return (element?.[method] as ((...given: unknown[]) => unknown) | undefined)?.apply(element, given);
  };

  const commands: Record<string, (...given: never[]) => unknown> = {
    async configure(changed?: EmbedOptions) {
      Object.assign(options, changed);
      if (life.element.isConnected) apply(life.element, changed ?? {});
      if (!isActive) {
        isActive = true;
        schedule();
      }
      await place();
    },
    async destroy() {
      isActive = false;
      life.element.remove();
      life.resolve(null);
      life = beginLife();
      options = { ...data };
    },
    on(name: string, listener: EventListener) {
      const { element } = life;
      element.addEventListener(`workspace-chat-${name}`, listener);
      return () => element.removeEventListener(`workspace-chat-${name}`, listener);
    },
    async off(name: string, listener: EventListener) {
      life.element.removeEventListener(`workspace-chat-${name}`, listener);
    },
    async ready(callback?: (element: WorkspaceChatElement) => void) {
      const element = await life.mounted;
      await element?.ready;
      if (element) callback?.(element);
    },
    async doctor(given?: DoctorOptions) {
      const { doctor } = await load();
      return doctor({ ...options, ...given });
    },
  };
  for (const method of methods) commands[method] = (...given) => call(method, given);

  const command: WorkspaceChatCommand = (name, ...given) => {
    if (Object.hasOwn(commands, name)) return commands[name]!(...(given as never[]));
    console.error(`workspace-chat: there is no command “${name}”.`);
    return Promise.resolve();
  };
  const queued = page.WorkspaceChat?.q ?? [];
  command.isLoaded = true;
  page.WorkspaceChat = command;
  for (const [name, ...given] of queued) void command(name, ...given);

  schedule();
  addEventListener('popstate', place);
  // Where the browser has it, it tells of pages that a script changes; elsewhere the site calls `configure`.
  (window as { navigation?: EventTarget }).navigation?.addEventListener('currententrychange', place);
  // On the page, the element sees to it by itself.
  document.addEventListener('click', (event) => {
    const selector = options.launcherSelector;
    if (life.element.isConnected || !isActive || typeof selector !== 'string') return;
    const isOpener = event.composedPath().some((node) => node instanceof Element && node.matches(selector));
    if (isOpener) void call('show', []);
  });
};
