/** Loads the stages behind the launcher on demand: the strings, the core, the panel. */
import type { Configuration } from '../chat/configuration.ts';
import type { Conversation } from '../chat/conversation.ts';
import { noteErasure } from '../chat/storage/erasures.ts';
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

/** Creates a file whose content can be read without waiting once it is loaded. When it cannot be loaded, the next call tries again. */
const lazyFile = <File>(load: () => Promise<File>) => {
  const file = {
    /** Null while the file is not loaded. */
    value: null as File | null,
    load: async (): Promise<File> => (file.value ??= await load()),
  };
  return file;
};

// The exports are listed, so that the bundler needs no object for the whole module, and no further file for that.
const stages = lazyFile(async () => {
  const { ElementCore, Panel, loadIdleCode, nextTask, toViewState } = await import('./stages.ts');
  return { ElementCore, Panel, loadIdleCode, nextTask, toViewState };
});
const strings = {
  en: lazyFile<PanelStrings>(async () => (await import('../locale/en.ts')).strings),
  ar: lazyFile<PanelStrings>(async () => (await import('../locale/ar.ts')).strings),
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
  /** The core, or null while it is not loaded. */
  core: ElementCore | null = null;
  /** The panel, or null while it is not loaded. */
  panel: Panel | null = null;
  /** Whether a chunk could not be loaded. The next attempt clears it. */
  hasFailed = false;
  readonly #host: LoaderHost;
  #configuration: Configuration | null = null;
  #waiting: (() => void)[] = [];
  /** The language of the panel. Null while there is no panel. */
  #language: Language | null = null;

  constructor(host: LoaderHost) {
    this.#host = host;
  }

  /** Disposes of the current conversation, and prepares for one of another configuration or for none. */
  configure(configuration: Configuration | null): void {
    this.core?.dispose();
    this.core = null;
    this.#configuration = configuration;
  }

  /** Marks the stored conversation as erased while the code that erases it is not loaded yet. */
  intendErasure(isOwnedOnly: boolean): void {
    if (this.#configuration) noteErasure(recordKey(this.#configuration), isOwnedOnly);
  }

  /** Returns the number of unread messages in the stored conversation, or null when none is stored. Loads no code. */
  async peek(): Promise<number | null> {
    const configuration = this.#configuration;
    return configuration && this.#host.element.storage !== 'memory' ? peekUnread(configuration, Date.now()) : null;
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

  /**
   * Fetches the code of the panel, and renders the panel of a closed chat without a conversation, so that opening it takes little
   * time. Reads nothing from the storage. A failure is reported when the panel is opened, which tries again.
   */
  async prefetch(): Promise<void> {
    try {
      const [{ loadIdleCode }] = await this.#loadFiles();
      loadIdleCode(this.#host);
      if (!this.#configuration || this.panel) return;
      this.#createPanel();
      this.#host.element.requestUpdate();
    } catch {
      // The browser logs the failed request.
    }
  }

  /** Shows the panel in the element's language: at once, or when everything that it needs is loaded. */
  showPanel(): void {
    if (!this.#createPanel()) void this.#loadPanel();
    else this.#createCore();
  }

  /** Creates the panel, or changes its language. Returns false when a file is missing. */
  #createPanel(): boolean {
    const { language } = this.#host.locale;
    const code = stages.value;
    if (!code || !strings[language].value) return false;
    this.#language = language;
    this.panel ??= new code.Panel(this.#host, this.#viewState);
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

  #loadFiles() {
    return Promise.all([stages.load(), strings[this.#host.locale.language].load()]);
  }

  /** Available once there is a panel. */
  get #viewState(): ViewState {
    const language = this.#language!;
    return stages.value!.toViewState(this.#host, strings[language].value!, language);
  }

  /** Returns the panel's template, or null while something that it needs is not loaded. */
  renderPanel(): unknown {
    return this.panel && this.panel.render(this.core?.conversation ?? null, this.#viewState);
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
    if (!this.core) {
      this.core = new stages.value.ElementCore(configuration, this.#host);
      this.#host.element.requestUpdate();
    }
    for (const resolve of this.#waiting.splice(0)) resolve();
    return this.core;
  }

  #fail(error: unknown): void {
    if (this.hasFailed) return;
    console.error(`workspace-chat: ${launcherStrings.en.chunkFailed}`, error);
    this.hasFailed = true;
    this.#host.onChunkFailed();
  }
}
