/** The page of a webview: its styles, the safe area insets, its links and its close button. */
import { languageOf } from '../../locale/language.ts';
import { launcherStrings } from '../../locale/launcher-strings.ts';
import type { WorkspaceChatElement } from '../../workspace-chat/workspace-chat.ts';
import type { Insets } from './configuration.ts';

/** Pixels. A smaller difference is a browser toolbar that appears or disappears. */
const keyboard = 60;

// Nothing around the composer scrolls, so that no keyboard pushes it out of view. The insets are physical: left is also
// left in Arabic. The panel's footer already reserves the safe area at the bottom, so it is not reserved again here. The page
// has the surface of the panel (see `styles/tokens.ts`), so that nothing changes its color when the chat appears.
const styles = `
  html, body { margin: 0; block-size: 100%; overflow: hidden; overscroll-behavior: none; }
  html {
    color-scheme: light dark;
    background: var(--workspace-chat-surface, Canvas);
    -webkit-text-size-adjust: 100%;
  }
  @supports (color: light-dark(#000, #fff)) {
    html {
      background: var(
        --workspace-chat-surface,
        light-dark(#fff, color-mix(in oklab, var(--workspace-chat-accent, #2f5fd0) 4%, #16171b))
      );
    }
  }
  html[data-color-scheme='light'] { color-scheme: light; }
  html[data-color-scheme='dark'] { color-scheme: dark; }
  body { position: fixed; inset: 0; }
  workspace-chat::part(panel) {
    padding-top: max(env(safe-area-inset-top, 0px), var(--inset-top, 0px));
    padding-right: max(env(safe-area-inset-right, 0px), var(--inset-right, 0px));
    padding-bottom: max(0px, var(--inset-bottom, 0px) - env(safe-area-inset-bottom, 0px));
    padding-left: max(env(safe-area-inset-left, 0px), var(--inset-left, 0px));
  }
  html[data-keyboard] workspace-chat::part(panel) { padding-bottom: 0; }
  .close {
    flex: none;
    inline-size: 2.25em;
    block-size: 2.25em;
    padding: 0;
    border: 0;
    border-radius: 50%;
    background: none;
    color: inherit;
    cursor: pointer;
  }
  .close:focus-visible { outline: 2px solid; outline-offset: -2px; }
  .close svg { display: block; margin: auto; inline-size: 1.25em; block-size: 1.25em; }
`;

const root = document.documentElement;

const createCloseIcon = (): SVGSVGElement => {
  const create = <Name extends keyof SVGElementTagNameMap>(name: Name, attributes: Record<string, string>) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const line = { fill: 'none', stroke: 'currentColor', 'stroke-width': '2', 'stroke-linecap': 'round' };
  const icon = create('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true', ...line });
  icon.append(create('path', { d: 'm6 6 12 12M18 6 6 18' }));
  return icon;
};

export interface PageHost {
  /** The visitor has pressed the close button. */
  onClose(): void;
  /** A link was activated. Returns false when the app does not handle it. */
  onLink(url: string): boolean;
}

export class WebviewPage {
  readonly #chat: WorkspaceChatElement;
  readonly #closeButton = document.createElement('button');

  constructor(chat: WorkspaceChatElement, { onClose, onLink }: PageHost) {
    this.#chat = chat;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    document.adoptedStyleSheets.push(sheet);
    // The static page is English. The chat follows the page's language unless the app sets its locale.
    root.lang = navigator.language;

    this.#closeButton.type = 'button';
    this.#closeButton.slot = 'header-end';
    this.#closeButton.className = 'close';
    this.#closeButton.append(createCloseIcon());
    this.#closeButton.addEventListener('click', onClose);
    // The visitor may change the language in the chat's menu.
    chat.addController({ hostUpdated: () => this.#updateLanguage() });

    // Every browser of the webviews has it.
    const viewport = window.visualViewport!;
    const fit = () => {
      const { height, scale } = viewport;
      // The keyboard covers the bottom inset that the app has reported.
      root.toggleAttribute('data-keyboard', scale < 1.01 && innerHeight - height > keyboard);
    };
    viewport.addEventListener('resize', fit);

    // No link may replace the page of the webview, neither in a reply nor in the footer.
    for (const type of ['click', 'auxclick'] as const) {
      addEventListener(type, (event) => {
        const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
        if (!link?.href || link.download || event.defaultPrevented) return;
        if (onLink(link.href)) event.preventDefault();
        else link.target = '_blank';
      });
    }
  }

  /** Adds the chat to the page. */
  show(): void {
    if (!this.#chat.isConnected) document.body.append(this.#chat);
  }

  setColorScheme(colorScheme: 'auto' | 'light' | 'dark'): void {
    this.#chat.colorScheme = colorScheme;
    root.dataset['colorScheme'] = colorScheme;
  }

  setInsets(insets: Insets): void {
    for (const side of ['top', 'right', 'bottom', 'left'] as const) {
      const value = insets[side];
      if (value !== undefined) root.style.setProperty(`--inset-${side}`, `${value}px`);
    }
  }

  setTheme(theme: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(theme)) root.style.setProperty(`--workspace-chat-${name}`, value);
  }

  setCloseButton(isShown: boolean): void {
    if (isShown) this.#chat.append(this.#closeButton);
    else this.#closeButton.remove();
  }

  #updateLanguage(): void {
    const tag = this.#chat.locale ?? navigator.language;
    const language = languageOf(tag);
    // Each change of the page's language makes the chat update.
    if (root.lang !== tag) root.lang = tag;
    root.dir = language === 'ar' ? 'rtl' : 'ltr';
    const label = launcherStrings[language].closeChat;
    this.#closeButton.ariaLabel = label;
    this.#closeButton.title = label;
  }
}
