/** The styles of a printed chat: all of its messages in a light color scheme, without the controls. A floating chat is not printed. */
import { css } from 'lit';

export const printStyles = css`
  @media print {
    :host([mode~='inline']),
    :host([mode~='fullscreen']) {
      position: static;
      block-size: auto;
    }

    section.panel {
      position: static !important;
      block-size: auto !important;
      overflow: visible !important;
      container-type: normal !important;
      color-scheme: light;
    }

    section.panel :is(workspace-chat-panel, workspace-chat-transcript, .scroller, .page) {
      display: block;
      block-size: auto;
      overflow: visible;
      content-visibility: visible !important;
    }

    section.panel :is(workspace-chat-composer, workspace-chat-to-end, button:not(.button)) {
      display: none;
    }
  }
`;
