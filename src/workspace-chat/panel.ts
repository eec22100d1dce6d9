/** The panel stage: what shows a conversation. */
import { html, type TemplateResult } from 'lit';
import { blockElements, blockStyles } from '../blocks/index.ts';
import type { Conversation } from '../chat/conversation.ts';
import { isBusy } from '../chat/state/state.ts';
import {
  createViewStore,
  provideChat,
  type ChatContext,
  type ChatStore,
  type Mode,
  type ViewState,
  type ViewStore,
} from '../controllers/chat-context.ts';
import { SurfaceController, type SurfaceHost } from '../controllers/surface-controller.ts';
import { fitViewport } from '../controllers/viewport-controller.ts';
import { BannerElement, bannerStyles } from '../elements/banner.ts';
import { BlocksElement } from '../elements/message-blocks.ts';
import { ComposerElement, composerStyles } from '../elements/composer.ts';
import { messageStyles } from '../elements/message-styles.ts';
import { MessageElement } from '../elements/message.ts';
import { PanelElement, panelStyles } from '../elements/panel-body.ts';
import { sourceStyles } from '../elements/sources.ts';
import { TranscriptElement, transcriptStyles } from '../elements/transcript.ts';
import { markdownStyles } from '../markdown/index.ts';
import { base } from '../styles/base.ts';

/** Defined by the copy that won the public tag, and by no other. */
const elements: Record<string, CustomElementConstructor> = {
  'workspace-chat-panel': PanelElement,
  'workspace-chat-transcript': TranscriptElement,
  'workspace-chat-message': MessageElement,
  'workspace-chat-banner': BannerElement,
  'workspace-chat-composer': ComposerElement,
  'workspace-chat-blocks': BlocksElement,
  ...blockElements,
};

const styles = [
  base,
  panelStyles,
  transcriptStyles,
  messageStyles,
  markdownStyles,
  sourceStyles,
  bannerStyles,
  composerStyles,
  blockStyles,
];

export interface PanelHost extends SurfaceHost {
  locale: string | null;
  readonly mode: Mode;
  /** False when the page objects. */
  submit(text: string): boolean;
  /** False when the page takes care of the link. */
  openLink(url: string): boolean;
}

/** The panel of one element. */
export class Panel {
  readonly #host: PanelHost;
  readonly #surface: SurfaceController;
  readonly #view: ViewStore;
  readonly #chat: ChatStore;

  constructor(host: PanelHost, conversation: Conversation, view: ViewState) {
    this.#host = host;
    this.#view = createViewStore(view);
    this.#chat = provideChat(host.shadowRoot!, this.#share(conversation));
    this.#surface = new SurfaceController(host);
    fitViewport(host, () => host.renderRoot.querySelector(host.mode === 'fullscreen' ? '.panel' : '.panel:modal'));
    const sheets = styles.map(({ styleSheet }) => styleSheet).filter((sheet) => sheet !== undefined);
    host.shadowRoot!.adoptedStyleSheets.push(...sheets);
    for (const [name, element] of Object.entries(elements)) {
      if (!customElements.get(name)) customElements.define(name, element);
    }
  }

  render(conversation: Conversation, view: ViewState): TemplateResult {
    this.#view.dispatch(view);
    if (this.#chat.state.conversation !== conversation) this.#chat.dispatch(this.#share(conversation));
    const { heading, dir, languageTag } = view;
    const inside = html`<workspace-chat-panel></workspace-chat-panel>`;
    if (!this.#host.isFloating) {
      return html`
        <section class="root panel" part="panel" aria-label=${heading} dir=${dir} lang=${languageTag}>
          ${inside}
        </section>
      `;
    }
    const { onKeydown, onCancel, onClose } = this.#surface;
    return html`
      <dialog
        class="root panel"
        part="panel"
        popover="manual"
        tabindex="-1"
        aria-label=${heading}
        dir=${dir}
        lang=${languageTag}
        @keydown=${onKeydown}
        @cancel=${onCancel}
        @close=${onClose}
      >
        ${inside}
      </dialog>
    `;
  }

  #share(conversation: Conversation): ChatContext {
    const host = this.#host;
    return {
      conversation,
      view: this.#view,
      send(text) {
        const { draft } = conversation.store.state;
        if (host.submit(text) && draft === text) conversation.setDraft('');
      },
      submitBlock(key, text, form) {
        const { store } = conversation;
        const answer = text.trim();
        const isOver = isBusy(store.state) || key in store.state.submitted;
        if (!answer || isOver || !host.submit(answer)) return false;
        store.dispatch({ type: 'block-submitted', key, text: answer, form });
        return true;
      },
      close: () => {
        host.open = false;
      },
      openLink: (url) => host.openLink(url),
      setLocale: (locale) => {
        host.locale = locale;
      },
    };
  }
}
