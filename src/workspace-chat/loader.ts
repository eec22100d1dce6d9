/** Loads the stages behind the launcher on demand: the strings, the core, the panel. */
import type { Configuration } from '../chat/configuration.ts';
import type { Conversation } from '../chat/conversation.ts';
import { writeIntent, type Erasure } from '../chat/storage/erasure-intent.ts';
import { peekUnread, recordKey } from '../chat/storage/peek.ts';
import type { Language } from '../locale/language.ts';
import { launcherStrings } from '../locale/launcher-strings.ts';
import type { PanelStrings } from '../locale/strings.ts';
import type { ElementCore, ElementCoreHost } from './element-core.ts';
import type { Panel, PanelHost } from './panel.ts';
import type { TeaserHost } from './teaser.ts';
import type { toViewState, ViewHost } from './view-state.ts';
import type { WebMcpHost } from './web-mcp.ts';

/** Wraps a loader so that it runs once. A loader that failed runs again at the next call. */
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

const importStages = once(() => import('./stages.ts'));
const importStrings = {
  en: once(() => import('../locale/en.ts')),
  ar: once(() => import('../locale/ar.ts')),
};

/** Fetches the code of the panel without using it. A failure is reported when the panel is opened, which tries again. */
export const prefetch = (host: WebMcpHost & ViewHost & TeaserHost): void => {
  importStages().then(
    ({ loadIdleCode }) => loadIdleCode(host),
    () => {},
  );
};

/** The element, as its loader sees it. */
export interface LoaderHost extends ElementCoreHost, PanelHost, ViewHost {
  readonly element: ViewHost['element'];
  /** A chunk could not be loaded. */
  onChunkFailed(): void;
}

export class Loader {
  /** Whether a chunk could not be loaded. The next attempt clears it. */
  hasFailed = false;
  readonly #host: LoaderHost;
  #configuration: Configuration | null = null;
  #waiting: (() => void)[] = [];
  #core: ElementCore | null = null;
  #panel: Panel | null = null;
  #toViewState: typeof toViewState | null = null;
  #strings: PanelStrings | null = null;
  #language: Language | null = null;

  constructor(host: LoaderHost) {
    this.#host = host;
  }

  /** The core, or null while it is not loaded. */
  get core(): ElementCore | null {
    return this.#core;
  }

  /** The panel, or null while it is not loaded. */
  get panel(): Panel | null {
    return this.#panel;
  }

  /** Disposes of the current conversation, and prepares for one of another configuration or for none. */
  configure(configuration: Configuration | null): void {
    this.#core?.dispose();
    this.#core = null;
    this.#configuration = configuration;
  }

  /** Marks the stored conversation as erased while the code that erases it is not loaded yet. */
  intendErasure(isOwnedOnly: boolean): void {
    const key = this.#recordKey;
    const erasure: Erasure = { epoch: `${Math.random()}`, known: null, erasedAt: Date.now(), isOwnedOnly };
    // A flat object has no arrays, whose `toJSON` old libraries define.
    // oxlint-disable-next-line no-restricted-properties
    if (key) writeIntent(key, JSON.stringify(erasure));
  }

  /** Returns the number of unread messages in the stored conversation, or null when none is stored. Loads no code. */
  async peek(): Promise<number | null> {
    const key = this.#recordKey;
    return key && this.#host.element.storage !== 'memory' ? peekUnread(key, Date.now()) : null;
  }

  /** Returns the restored conversation, or null when there is no configuration or its code cannot be loaded. */
  async load(): Promise<Conversation | null> {
    const core = await this.#loadCore();
    await core?.restored;
    return core?.conversation ?? null;
  }

  /** Like `load`, but waits for a later attempt when the code cannot be loaded, so that nothing that is sent is lost. */
  async loadEventually(): Promise<Conversation | null> {
    const conversation = await this.load();
    if (conversation || !this.hasFailed) return conversation;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.loadEventually();
  }

  /** Loads everything that the open panel needs, in the element's language. */
  async loadPanel(): Promise<void> {
    const { locale, element } = this.#host;
    const { language } = locale;
    if (this.#panel && this.#core && this.#language === language) return;
    try {
      const [{ Panel, toViewState, nextTask }, strings, core] = await Promise.all([
        importStages(),
        this.#loadStrings(),
        this.#loadCore(),
      ]);
      await nextTask();
      if (!core || core !== this.#core) return;
      this.#toViewState = toViewState;
      this.#panel ??= new Panel(this.#host, core.conversation, toViewState(this.#host, strings, language));
      this.hasFailed = false;
      element.requestUpdate();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Loads the strings of the element's language. */
  async #loadStrings(): Promise<PanelStrings> {
    const { locale, element } = this.#host;
    const { language } = locale;
    const { strings } = await importStrings[language]();
    if (this.#language !== language && language === locale.language) {
      this.#language = language;
      this.#strings = strings;
      element.requestUpdate();
    }
    return strings;
  }

  /** Returns the panel's template, or null while something that it needs is not loaded. */
  renderPanel(): unknown {
    const { conversation } = this.#core ?? {};
    if (!this.#panel || !this.#toViewState || !conversation || !this.#strings || !this.#language) return null;
    return this.#panel.render(conversation, this.#toViewState(this.#host, this.#strings, this.#language));
  }

  get #recordKey(): string | null {
    const configuration = this.#configuration;
    return configuration && recordKey(configuration);
  }

  /** Returns the core as soon as its code is loaded. The stored conversation may still be loading. */
  async #loadCore(): Promise<ElementCore | null> {
    try {
      // The element reads its configuration in its first update, which takes place while the code is fetched.
      const [{ ElementCore }] = await Promise.all([importStages(), this.#host.element.updateComplete]);
      const configuration = this.#configuration;
      if (!configuration) return null;
      this.#core ??= new ElementCore(configuration, this.#host);
      for (const resolve of this.#waiting.splice(0)) resolve();
      return this.#core;
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  #fail(error: unknown): void {
    if (this.hasFailed) return;
    console.error(`workspace-chat: ${launcherStrings.en.chunkFailed}`, error);
    this.hasFailed = true;
    this.#host.onChunkFailed();
  }
}
