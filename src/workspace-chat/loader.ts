/** Loads the stages behind the launcher on demand: the strings, the core, the panel. */
import type { Configuration } from '../chat/configuration.ts';
import type { Conversation } from '../chat/conversation.ts';
import { writeIntent, type Erasure } from '../chat/storage/erasure-intent.ts';
import { peekUnread, recordKey } from '../chat/storage/peek.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import type { Language } from '../locale/language.ts';
import { launcherStrings } from '../locale/launcher-strings.ts';
import type { PanelStrings } from '../locale/strings.ts';
import type { ElementCore, ElementCoreHost } from './element-core.ts';
import type { Panel, PanelHost } from './panel.ts';
import type { TeaserHost } from './teaser.ts';
import type { ViewHost } from './view-state.ts';
import type { WebMcpHost } from './web-mcp.ts';

type Stages = typeof import('./stages.ts');

/** A file that is loaded once. When it cannot be loaded, the next call tries again. */
class LazyFile<File> {
  /** The content of the file, or null while it is not loaded. */
  value: File | null = null;
  readonly #import: () => Promise<File>;
  #loading: Promise<File> | null = null;

  constructor(load: () => Promise<File>) {
    this.#import = load;
  }

  load(): Promise<File> {
    return (this.#loading ??= this.#import().then(
      (file) => (this.value = file),
      (error: unknown) => {
        this.#loading = null;
        throw error;
      },
    ));
  }
}

const stages = new LazyFile<Stages>(() => import('./stages.ts'));
const strings = {
  en: new LazyFile<{ strings: PanelStrings }>(() => import('../locale/en.ts')),
  ar: new LazyFile<{ strings: PanelStrings }>(() => import('../locale/ar.ts')),
};

/** The element, as its loader sees it. */
export interface LoaderHost extends ElementCoreHost, PanelHost, ViewHost, TeaserHost, WebMcpHost {
  readonly element: ViewHost['element'];
  open: boolean;
  readonly state: TeaserHost['state'];
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
  /** The language of the panel. Null while there is no panel. */
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

  /** Fetches the code of the panel. A failure is reported when the panel is opened, which tries again. */
  async prefetch(): Promise<void> {
    const host = this.#host;
    try {
      const [{ loadIdleCode }] = await this.#loadFiles();
      loadIdleCode(host);
    } catch {
      // The browser logs the failed request.
    }
  }

  /**
   * Renders the panel without a conversation before the visitor opens it, when its code is loaded, so that opening it takes little
   * time. Reads nothing from the storage.
   */
  prepare(): void {
    if (!this.#configuration || this.#panel) return;
    this.#createPanel();
    this.#host.element.requestUpdate();
  }

  /** Shows the panel in the element's language: at once, or when everything that it needs is loaded. */
  showPanel(): void {
    const { language } = this.#host.locale;
    if (this.#panel && this.#core && this.#language === language) return;
    if (!this.#createPanel()) void this.#loadPanel();
    else this.#createCore();
  }

  /** Creates the panel, or changes its language. Returns false when a file is missing. */
  #createPanel(): boolean {
    const { language } = this.#host.locale;
    const code = stages.value;
    if (!code || !strings[language].value) return false;
    this.#language = language;
    this.#panel ??= new code.Panel(this.#host, this.#toViewState(code, language));
    return true;
  }

  async #loadPanel(): Promise<void> {
    try {
      const [{ nextTask }] = await this.#loadFiles();
      this.#createCore();
      await nextTask();
      this.hasFailed = false;
      this.#host.element.requestUpdate();
    } catch (error) {
      this.#fail(error);
    }
  }

  #loadFiles(): Promise<[Stages, unknown]> {
    return Promise.all([stages.load(), strings[this.#host.locale.language].load()]);
  }

  #toViewState({ toViewState }: Stages, language: Language): ViewState {
    return toViewState(this.#host, strings[language].value!.strings, language);
  }

  /** Returns the panel's template, or null while something that it needs is not loaded. */
  renderPanel(): unknown {
    if (!this.#panel || !stages.value || !this.#language) return null;
    return this.#panel.render(this.#core?.conversation ?? null, this.#toViewState(stages.value, this.#language));
  }

  get #recordKey(): string | null {
    const configuration = this.#configuration;
    return configuration && recordKey(configuration);
  }

  /** Returns the core as soon as its code is loaded. The stored conversation may still be loading. */
  async #loadCore(): Promise<ElementCore | null> {
    try {
      // The element reads its configuration in its first update, which takes place while the code is fetched.
      await Promise.all([stages.load(), this.#host.element.updateComplete]);
      return this.#createCore();
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  /** Creates the core if its code is loaded. Returns null without a configuration. */
  #createCore(): ElementCore | null {
    const configuration = this.#configuration;
    if (!configuration || !stages.value) return null;
    if (!this.#core) {
      this.#core = new stages.value.ElementCore(configuration, this.#host);
      if (this.#panel) this.#host.element.requestUpdate();
    }
    for (const resolve of this.#waiting.splice(0)) resolve();
    return this.#core;
  }

  #fail(error: unknown): void {
    if (this.hasFailed) return;
    console.error(`workspace-chat: ${launcherStrings.en.chunkFailed}`, error);
    this.hasFailed = true;
    this.#host.onChunkFailed();
  }
}
