/** Holds what is behind the launcher, and loads it when it is first wanted: the sentences, the core, the panel. */
import type { Conversation } from '../chat/conversation.ts';
import { peekUnread, recordKey } from '../chat/storage/peek.ts';
import type { Configuration, ConfigurationProblem } from '../chat/configuration.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import type { Core, CoreHost } from './core.ts';
import { launcherStrings } from '../locale/launcher-strings.ts';
import type { Strings } from '../locale/strings.ts';
import type { Panel, PanelHost } from './panel.ts';

/** A loader that runs once; one that failed runs again the next time it is asked. */
const once = <Value>(load: () => Promise<Value>): (() => Promise<Value>) => {
  let loading: Promise<Value> | null = null;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
};

const importCore = once(() => import('./core.ts'));
const importPanel = once(() => import('./panel.ts'));
const importStrings = {
  en: once(() => import('../locale/en.ts')),
  ar: once(() => import('../locale/ar.ts')),
};

/** Fetches the code of the panel without using it. A failure shows when the panel is opened, which tries again. */
export const prefetch = (): void => {
  void Promise.allSettled([importCore(), importPanel()]);
};

/** Says in the console, in English, what is wrong with the configuration. */
export const logProblem = async (problem: ConfigurationProblem): Promise<void> => {
  const { configurationSentences } = await import('../locale/configuration-problems.ts');
  console.error(`workspace-chat: ${configurationSentences[problem]}`);
};

/** Runs `callback` when the page has loaded and has nothing better to do. */
export const whenIdle = (callback: () => void): void => {
  const request = () =>
    'requestIdleCallback' in globalThis ? requestIdleCallback(callback, { timeout: 5000 }) : setTimeout(callback, 500);
  if (document.readyState === 'complete') request();
  else addEventListener('load', request, { once: true });
};

export interface StagesHost extends CoreHost, PanelHost {
  /** How the conversation is shown, given the language's sentences. */
  view(strings: Strings, language: 'en' | 'ar'): ViewState;
  /** A part could not be loaded. */
  onFailure(error: unknown): void;
}

export class Stages {
  /** Set when a part could not be loaded; the next attempt clears it. */
  hasFailed = false;
  readonly #host: StagesHost;
  #configuration: Configuration | null = null;
  #core: Core | null = null;
  #panel: Panel | null = null;
  #strings: Strings | null = null;
  #language: 'en' | 'ar' | null = null;

  constructor(host: StagesHost) {
    this.#host = host;
  }

  /** The conversation; null while nobody wanted it. */
  get conversation(): Conversation | null {
    return this.#core?.conversation ?? null;
  }

  get core(): Core | null {
    return this.#core;
  }

  /** The sentences of the last language that was loaded. */
  get strings(): Strings | null {
    return this.#strings;
  }

  get hasPanel(): boolean {
    return this.#panel !== null;
  }

  /** Leaves the conversation there is for that of another configuration, or for none. */
  configure(configuration: Configuration | null): void {
    this.#core?.dispose();
    this.#core = null;
    this.#configuration = configuration;
  }

  /** How many answers are unread in the stored conversation; null when none is stored. Loads nothing. */
  async peek(): Promise<number | null> {
    if (!this.#configuration || this.#host.storage === 'memory') return null;
    const { baseUrl, publishableKey, agentId } = this.#configuration;
    return peekUnread(recordKey(baseUrl, publishableKey, agentId), Date.now());
  }

  /** The restored conversation; null when there is no configuration, or its code cannot be loaded. */
  async load(): Promise<Conversation | null> {
    const core = await this.#begin();
    await core?.restored;
    return core?.conversation ?? null;
  }

  /** Everything that the open panel needs, in the language that the element speaks. */
  async loadPanel(): Promise<void> {
    const { language } = this.#host;
    if (this.#panel && this.#core && this.#language === language) return;
    try {
      const [{ Panel }, strings, core] = await Promise.all([importPanel(), this.speak(), this.#begin()]);
      if (!core || core !== this.#core) return;
      this.#panel ??= new Panel(this.#host, core.conversation, this.#host.view(strings, language));
      this.hasFailed = false;
      this.#host.requestUpdate();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The sentences of the language that the element speaks. */
  async speak(): Promise<Strings> {
    const { language } = this.#host;
    const { strings } = await importStrings[language]();
    if (this.#language !== language && language === this.#host.language) {
      this.#language = language;
      this.#strings = strings;
      this.#host.requestUpdate();
    }
    return strings;
  }

  /** The panel, once everything is there; null before. */
  renderPanel(): unknown {
    if (!this.#panel || !this.conversation || !this.#strings || !this.#language) return null;
    return this.#panel.render(this.conversation, this.#host.view(this.#strings, this.#language));
  }

  /** The conversation's code at work, while what is stored may still be on its way. */
  async #begin(): Promise<Core | null> {
    try {
      // While its code is fetched, the element has its first update, in which it learns its configuration.
      const [{ Core }] = await Promise.all([importCore(), this.#host.updateComplete]);
      const configuration = this.#configuration;
      if (!configuration) return null;
      return (this.#core ??= new Core(configuration, this.#host));
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  #fail(error: unknown): void {
    if (this.hasFailed) return;
    console.error(`workspace-chat: ${launcherStrings.en.chunkFailed}`, error);
    this.hasFailed = true;
    this.#host.onFailure(error);
  }
}
