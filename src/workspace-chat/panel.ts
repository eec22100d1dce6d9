/** The panel: the frame around the conversation, its place on the page, and the context of its elements. */
import { ContextProvider } from '@lit/context';
import { css, html, type LitElement, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { blockElements, blockStyles } from '../blocks/index.ts';
import type { Conversation } from '../chat/conversation.ts';
import {
  chatContext,
  createViewStore,
  type ChatContext,
  type ViewState,
  type ViewStore,
} from '../controllers/chat-context.ts';
import { fitViewport } from '../controllers/viewport-controller.ts';
import { BannerElement } from '../elements/banner.ts';
import { ComposerElement, composerStyles } from '../elements/composer.ts';
import { consentStyles } from '../elements/consent.ts';
import { defineElements } from '../elements/define-elements.ts';
import { expansionFlag } from '../elements/expansion.ts';
import { groupStyles } from '../elements/group-styles.ts';
import { MenuElement, menuStyles } from '../elements/menu.ts';
import { MessageBlocksElement } from '../elements/message-blocks.ts';
import { MessageProblemElement } from '../elements/message-problem.ts';
import { messageStyles } from '../elements/message-styles.ts';
import { MessageElement } from '../elements/message.ts';
import { motionStyles } from '../elements/motion.ts';
import { narrowStyles } from '../elements/narrow-styles.ts';
import { noticeStyles } from '../elements/notice-styles.ts';
import { panelBodyStyles, PanelElement } from '../elements/panel-body.ts';
import { SourcesElement, sourceStyles } from '../elements/sources.ts';
import { ToEndElement, toEndStyles } from '../elements/to-end.ts';
import { ToolRunsElement, toolRunStyles } from '../elements/tool-runs.ts';
import { TranscriptElement, transcriptStyles } from '../elements/transcript.ts';
import { loadEntitiesWith } from '../markdown/entities.ts';
import { useLateRenderers, type LateRenderers } from '../markdown/late-renderers.ts';
import { markdownStyles } from '../markdown/index.ts';
import { base } from '../styles/base.ts';
import { panelTokens } from '../styles/panel-tokens.ts';
import { printStyles } from '../styles/print.ts';
import { adopt } from '../styles/adopt.ts';
import { chatExtras } from './chat-extras.ts';
import type { PanelHost } from './chat-host.ts';
import { containEvents } from './contained-events.ts';
import { containScroll } from './contained-scroll.ts';
import { WorkspaceChatFeedbackEvent, WorkspaceChatLinkEvent, WorkspaceChatRatingEvent } from './conversation-events.ts';
import { SurfaceController } from './surface.ts';

/** Defined by the copy of the package that defined the public tag, and by no other copy. */
const elements: Record<string, CustomElementConstructor> = {
  'workspace-chat-panel': PanelElement,
  'workspace-chat-menu': MenuElement,
  'workspace-chat-transcript': TranscriptElement,
  'workspace-chat-message': MessageElement,
  'workspace-chat-problem': MessageProblemElement,
  'workspace-chat-blocks': MessageBlocksElement,
  'workspace-chat-tools': ToolRunsElement,
  'workspace-chat-sources': SourcesElement,
  'workspace-chat-to-end': ToEndElement,
  'workspace-chat-banner': BannerElement,
  'workspace-chat-composer': ComposerElement,
  ...blockElements,
};

const frameStyles = css`
  /* The panel fills the host. Its height of 100% has no effect where the page gives the host none. On paper, it has its own. */
  @media screen {
    :host([mode~='inline']:not([hidden])) {
      display: grid;
      grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    }
  }

  .panel {
    display: block;
    inline-size: 100%;
    block-size: 100%;
    max-inline-size: none;
    max-block-size: none;
    margin: 0;
    padding: 0;
    border: 0;
    /* Nothing may scroll the header away. */
    overflow: clip;
    background: var(--_surface);
  }

  /* An outline would be covered by the header. */
  @media (forced-colors: active) {
    .panel {
      border: 1px solid;
    }
  }

  /*
   * The panel is focused on touch screens, where a focus ring around the screen would not help. Forced colors show the
   * transparent outline.
   */
  .panel,
  .panel:focus-visible {
    outline: 2px solid transparent;
    outline-offset: -2px;
  }

  /* These have a height of their own. That of an inline panel may depend on its content. */
  dialog.panel,
  :host([mode~='fullscreen']) .panel {
    container-type: size;
    /* The page behind must not scroll when a finger moves over the header. The transcript scrolls by its own rules. */
    touch-action: pinch-zoom;
  }

  dialog.panel:not(:popover-open, [open]) {
    display: none;
  }

  :host([placement~='start']) .panel[popover] {
    inset-inline: var(--_wc-offset-x) auto;
  }

  .panel[popover] {
    position: fixed;
    inset: auto;
    --_below: calc(var(--_wc-offset-y) + var(--_wc-launcher-size) + 0.75em);
    inset-block-end: var(--_below);
    inset-inline-end: var(--_wc-offset-x);
    /* The distance to the other edges is small, however far the launcher is from its own. */
    inline-size: min(var(--_wc-width), 100% - var(--_wc-offset-x) - min(var(--_wc-offset-x), 1.25em));
    block-size: min(var(--_wc-height), 100% - var(--_below) - min(var(--_wc-offset-y), 1.25em));
    border-radius: var(--_radius);
    box-shadow: var(--_shadow);
  }

  .panel.wide {
    --_wc-width: 45em;
  }

  /* The launcher below the panel closes it. */
  :host(:not([hide-launcher])) .panel[popover] .header > button {
    display: none;
  }

  :host([hide-launcher]) .panel[popover] {
    --_below: var(--_wc-offset-y);
  }

  .panel:modal,
  :host([mode~='fullscreen']) .panel {
    position: fixed;
    inset: 0;
    inset-block-start: var(--_viewport-top, 0);
    block-size: var(--_viewport-height, 100%);
  }

  .panel:modal::backdrop {
    background: var(--_backdrop);
  }
`;

const styles = [
  panelTokens,
  base,
  frameStyles,
  motionStyles,
  panelBodyStyles,
  menuStyles,
  transcriptStyles,
  toEndStyles,
  messageStyles,
  groupStyles,
  noticeStyles,
  markdownStyles,
  blockStyles,
  toolRunStyles,
  sourceStyles,
  composerStyles,
  consentStyles,
  narrowStyles,
  printStyles,
];

export class Panel {
  readonly #host: PanelHost;
  readonly #surface: SurfaceController;
  readonly #view: ViewStore;
  readonly #context: ContextProvider<typeof chatContext, LitElement>;
  /** The class of the panel's width. It is read once: the menu changes the class itself. */
  readonly #width: string;
  /** The extras that were added, or are being loaded. */
  readonly #added = new Set<string>();

  constructor(host: PanelHost, conversation: Conversation, view: ViewState) {
    const { element } = host;
    this.#host = host;
    this.#view = createViewStore(view);
    this.#width = view.canExpand && expansionFlag.get() ? 'wide' : '';
    const initialValue = this.#createContext(conversation);
    this.#context = new ContextProvider(element, { context: chatContext, initialValue });
    this.#surface = new SurfaceController(host);
    containEvents(element.shadowRoot!);
    loadEntitiesWith(() => chatExtras.entities.load());
    useLateRenderers(chatExtras);
    // Only touch screens have a keyboard on the screen.
    if (matchMedia('(any-pointer: coarse)').matches) fitViewport(element);
    // All supported browsers have constructable style sheets.
    adopt(element.shadowRoot!, ...styles.map(({ styleSheet }) => styleSheet!));
    void host.launcherPlace.adaptColors(panelTokens);
    defineElements(elements);
  }

  /** See `SurfaceController`. */
  closeTopmost(): boolean {
    return this.#surface.closeTopmost();
  }

  render(conversation: Conversation, view: ViewState): TemplateResult {
    this.#view.dispatch(view);
    const { transcriptUrl, historyUrl } = this.#host.element;
    const wanted = {
      speech: view.hasSpeech,
      feedback: view.hasFeedback,
      rating: view.hasRating,
      notify: view.hasNotify,
      mail: transcriptUrl,
      history: historyUrl,
      teamHours: view.teamHours,
    };
    for (const [name, isWanted] of Object.entries(wanted)) if (isWanted) void this.#add(name as keyof typeof wanted);
    if (this.#context.value.conversation !== conversation) {
      this.#context.setValue(this.#createContext(conversation));
      this.#surface.keepFocus();
    }
    const { heading, dir, languageTag } = view;
    // What an element remembers, such as an open question, belongs to one conversation.
    const body = repeat(
      [conversation],
      (each) => each,
      () => html`<workspace-chat-panel></workspace-chat-panel>`,
    );
    if (!this.#host.isFloating) {
      return html`
        <section class="root panel" part="panel" aria-label=${heading} dir=${dir} lang=${languageTag}>${body}</section>
      `;
    }
    const { onKeydown, onCancel, onClose } = this.#surface;
    return html`
      <dialog
        class="root panel ${this.#width}"
        part="panel"
        popover="manual"
        tabindex="-1"
        aria-label=${heading}
        dir=${dir}
        lang=${languageTag}
        @keydown=${onKeydown}
        @cancel=${onCancel}
        @close=${onClose}
        @wheel=${containScroll}
      >
        ${body}
      </dialog>
    `;
  }

  /** Without the file, the chat lacks the feature. The next update tries again. */
  async #add(name: Exclude<keyof typeof chatExtras, 'entities' | keyof LateRenderers>): Promise<void> {
    if (this.#added.has(name)) return;
    this.#added.add(name);
    const { element } = this.#host;
    try {
      if (name === 'teamHours') await chatExtras.teamHours.load();
      else (await chatExtras[name].load())(element.shadowRoot!);
      element.requestUpdate();
    } catch {
      this.#added.delete(name);
    }
  }

  #createContext(conversation: Conversation): ChatContext {
    const host = this.#host;
    return {
      conversation,
      view: this.#view,
      open: () => host.openByVisitor(null),
      close: () => {
        host.open = false;
      },
      openLink: (url) => host.dispatch(new WorkspaceChatLinkEvent(url)),
      rate: (...feedback) => host.dispatch(new WorkspaceChatFeedbackEvent(...feedback)),
      rateConversation: (...rating) => host.dispatch(new WorkspaceChatRatingEvent(...rating)),
      agree: () => host.agree(),
      setLocale: (tag) => host.setLocale(tag),
    };
  }
}
