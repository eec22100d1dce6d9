/**
 * The script of the gallery: it shows every block and every state of a conversation, in both languages and schemes. It
 * renders the widget's panel with conversations that are built from events, without a service.
 * `?scene=form&language=ar&scheme=dark` shows one of them, and `text=200` shows it with text of 200 %.
 */
import { css, html, type LitElement } from 'lit';
import { ApiClient } from '../src/api/client.ts';
import { systemClock } from '../src/api/system-clock.ts';
import { Conversation } from '../src/chat/conversation.ts';
import { browserErasures } from '../src/chat/storage/peek.ts';
import { GuardedStorage } from '../src/chat/storage/storage.ts';
import { noDrafts } from '../src/chat/storage/tab-drafts.ts';
import type { ViewState } from '../src/controllers/chat-context.ts';
import { launcher, launcherStyles } from '../src/elements/launcher.ts';
import { strings as ar } from '../src/locale/ar.ts';
import { formatTag } from '../src/locale/format-tag.ts';
import { strings as en } from '../src/locale/en.ts';
import { launcherStrings } from '../src/locale/launcher-strings.ts';
import { ToolRegistry } from '../src/chat/tools/tool-registry.ts';
import { ClientTools } from '../src/chat/tools/client-tools.ts';
import type { PanelHost } from '../src/workspace-chat/chat-host.ts';
import { LauncherPlace } from '../src/workspace-chat/launcher-place.ts';
import { PageModals } from '../src/workspace-chat/page-modals.ts';
import { Panel } from '../src/workspace-chat/panel.ts';
import { WorkspaceChatProperties } from '../src/workspace-chat/properties.ts';
import { host } from '../src/styles/host.ts';
import { panelTokens } from '../src/styles/panel-tokens.ts';
import { tokens } from '../src/styles/tokens.ts';
import type { Say } from './gallery-messages.ts';
import type { Scene } from './gallery-messages.ts';
import { scenes, type Language } from './gallery-scenes.ts';

/** The page's own renderer for its `kiln` block. */
const kilnRenderer: ViewState['renderers'] = new Map([
  [
    'kiln',
    (block) => {
      const { text, degrees } = block as { text?: string; degrees?: number };
      const box = document.createElement('div');
      const meter = Object.assign(document.createElement('meter'), { max: 1300, value: degrees ?? 0 });
      meter.setAttribute('aria-label', text ?? '');
      // In Arabic, “°C” would stand before the number.
      const value = Object.assign(document.createElement('bdi'), { dir: 'ltr', textContent: `${degrees}\u00a0°C` });
      box.append(`${text} `, value, ' ', meter);
      return box;
    },
  ],
]);

const openConversation = (language: Language): Conversation => {
  const clock = systemClock;
  const fetch = () => new Promise<Response>(() => {});
  const locale = () => language;
  return new Conversation({
    key: 'gallery',
    client: new ApiClient({
      baseUrl: 'https://gallery.invalid',
      publishableKey: '',
      agentId: '',
      fetch,
      clock,
      locale,
    }),
    storage: new GuardedStorage(null, clock, () => {}),
    erasures: browserErasures,
    drafts: noDrafts,
    openTabs: () => ({ runExclusive: (turn) => turn(), isBusy: async () => false, post() {}, close() {} }),
    connectivity: { isOnline: () => true, whenOnline: async () => {} },
    clock,
    createId: () => crypto.randomUUID(),
    random: Math.random,
    locale,
    tools: new ClientTools(new ToolRegistry(() => {})),
    streaming: () => 'auto',
  });
};

// In the theme studio of a release, the gallery has no address of its own.
const asked = new URLSearchParams(document.documentElement.dataset['query'] ?? location.search);

const textSize = asked.get('text');
if (textSize) document.documentElement.style.setProperty('--text', String(Number(textSize) / 100));

/** The position of the page before the first form was submitted. */
let scrollTop: number | null = null;

class GalleryChat extends WorkspaceChatProperties implements PanelHost {
  static override styles = [
    tokens,
    panelTokens,
    host,
    launcherStyles,
    css`
      /* As high as its messages. The page gives a panel its height. */
      :host([mode]) {
        display: block;
        block-size: auto;
        min-block-size: 0;
      }

      .sheet {
        container-type: inline-size;
        background: var(--_surface);
        color: var(--_text);
      }

      .frame {
        display: grid;
        grid-template: minmax(0, 1fr) auto / minmax(0, 1fr);
        gap: 0.75em;
        block-size: 100%;
        padding: 1em;
        background: light-dark(#e3e6ec, #0c0d10);
        font-size: var(--_font-size);
      }

      .frame > .panel {
        border-radius: var(--_radius);
        box-shadow: var(--_shadow);
      }

      .frame > .launcher-box {
        display: block;
        position: relative;
        inset: auto;
        justify-self: end;
      }

      /* Screenshots also show messages outside of the viewport. */
      .sheet .messages > workspace-chat-message {
        content-visibility: visible;
      }
    `,
  ];

  readonly isFloating = false;
  readonly launcher = null;
  readonly modals = new PageModals(this, () => {});
  readonly launcherPlace = new LauncherPlace(this);
  opening = null;
  readonly element = this;
  readonly #scene: Scene;
  readonly #conversation: Conversation;
  readonly #view: ViewState;
  #panel: Panel | null = null;

  constructor(scene: Scene, language: Language, scheme: string) {
    super();
    this.open = true;
    this.mode = 'inline';
    this.#scene = scene;
    this.#conversation = openConversation(language);
    const strings = { en, ar }[language];
    const say: Say = (one, other) => (language === 'ar' ? other : one);
    this.#view = {
      strings,
      language,
      locale: language,
      registered: new Map(),
      pluralRule: (count) => new Intl.PluralRules(language).select(count),
      dir: language === 'ar' ? 'rtl' : 'ltr',
      languageTag: formatTag(language === 'ar' ? 'ar-OM' : 'en-GB', []),
      mode: 'inline',
      heading: language === 'ar' ? 'نخيل وطين' : 'Palm & Clay',
      greeting: scene.isPanel ? strings.greeting : '',
      starters: scene.isPanel ? [language === 'ar' ? 'متى تفتحون؟' : 'When are you open?'] : [],
      links: [],
      suggestions: null,
      consent: null,
      isNew: false,
      avatar: '',
      canExpand: false,
      isEnterNewline: false,
      teamHours: null,
      teamReturn: null,
      hasSpeech: false,
      hasRating: false,
      hasNotify: false,
      transcriptUrl: '',
      historyUrl: '',
      hasFeedback: false,
      imageHosts: 'images.example',
      linkHosts: '',
      renderers: kilnRenderer,
      ...scene.view?.(say),
    };
    this.transcriptUrl = this.#view.transcriptUrl || null;
    this.historyUrl = this.#view.historyUrl || null;
    this.setAttribute('color-scheme', scheme);
    if (textSize) this.style.setProperty('--workspace-chat-font-size', `${(16 * Number(textSize)) / 100}px`);
    if (scene.brand) this.className = scene.brand;
    if (scene.isPanel) this.setAttribute('mode', 'inline');
    const { store } = this.#conversation;
    for (const event of scene.events(say)) store.dispatch(event);
  }

  openByVisitor(): void {}

  agree(): void {}

  setLocale(): void {}

  dispatch(): boolean {
    return false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#panel ??= new Panel(this, this.#conversation, this.#view);
  }

  protected override firstUpdated(): void {
    if (this.#scene.isChecked) this.#check();
    if (this.#scene.sheet) void this.#openSheet(this.#scene.sheet);
  }

  /** Opens the page that covers the conversation, which must not take the focus. */
  async #openSheet(name: string): Promise<void> {
    this.inert = true;
    await customElements.whenDefined(`workspace-chat-${name}`);
    const panel = this.shadowRoot!.querySelector('workspace-chat-panel')!;
    panel.sheet = document.createElement(`workspace-chat-${name}`);
    await panel.updateComplete;
    await panel.querySelector<LitElement>(`workspace-chat-${name}`)!.updateComplete;
    this.inert = false;
  }

  /** Submits the form as soon as it is rendered. */
  #check(): void {
    const form = this.shadowRoot!.querySelector('form');
    if (!form) requestAnimationFrame(() => this.#check());
    else {
      scrollTop ??= scrollY;
      form.requestSubmit();
      // The invalid field has received the focus, which the picture must not show, and the page has scrolled to it.
      requestAnimationFrame(() => {
        (this.shadowRoot!.activeElement as HTMLElement | null)?.blur();
        scrollTo({ top: scrollTop!, behavior: 'instant' });
      });
    }
  }

  #renderLauncher(): unknown {
    const { language, pluralRule, dir, languageTag: lang } = this.#view;
    const text = language === 'ar' ? 'تحدث معنا' : 'Talk to us';
    return launcher({
      strings: launcherStrings[language],
      pluralRule,
      dir,
      lang,
      isOpen: false,
      unread: 2,
      text: this.#scene.launcher === 'label' ? text : null,
      notice: null,
      hasButton: true,
      onClick: () => {},
      onIntent: () => {},
    });
  }

  protected override render(): unknown {
    const { dir, languageTag } = this.#view;
    const panel = this.#panel?.render(this.#conversation, this.#view);
    if (this.#scene.launcher) return html`<div class="frame">${panel} ${this.#renderLauncher()}</div>`;
    if (this.#scene.isPanel) return panel;
    return html`<div class="root sheet" dir=${dir} lang=${languageTag}>
      <workspace-chat-transcript></workspace-chat-transcript>
    </div>`;
  }
}

customElements.define('gallery-chat', GalleryChat);

const isAsked = (name: string, value: string) => (asked.get(name) ?? value) === value;

const renderScene = (scene: Scene): HTMLElement => {
  const section = document.createElement('section');
  section.id = scene.id;
  const heading = Object.assign(document.createElement('h2'), { textContent: scene.title });
  const cells = Object.assign(document.createElement('div'), { className: 'cells' });
  for (const scheme of ['light', 'dark']) {
    for (const language of ['en', 'ar'] as const) {
      if (!isAsked('language', language) || !isAsked('scheme', scheme)) continue;
      const cell = document.createElement('figure');
      const caption = document.createElement('figcaption');
      const { en: english, ar: arabic } = scene.captions ?? { en: 'English', ar: 'Arabic' };
      caption.textContent = `${language === 'ar' ? arabic : english}, ${scheme}`;
      cell.append(new GalleryChat(scene, language, scheme), caption);
      cell.classList.toggle('panel', scene.isPanel === true);
      cell.classList.toggle('tall', scene.launcher !== undefined);
      cells.append(cell);
    }
  }
  section.append(heading, cells);
  return section;
};

const shown = scenes.filter(({ id }) => isAsked('scene', id));
document.querySelector('main')!.append(...shown.map(renderScene));
document
  .querySelector('nav')!
  .append(
    ...scenes.map(({ id, title }) =>
      Object.assign(document.createElement('a'), { href: `#${id}`, textContent: title }),
    ),
  );
