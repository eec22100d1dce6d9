/** The sentence that stands in place of the panel: the chat is being loaded, could not be loaded, or is not available. */
import { css, html, nothing, type TemplateResult } from 'lit';

export interface ChatNotice {
  text: string;
  /** Whether the visitor only has to wait. */
  isWaiting: boolean;
  /** The button that tries again, or null when that cannot help. */
  retry: { label: string; onClick: () => void } | null;
}

export const chatNotice = ({ text, isWaiting, retry }: ChatNotice): TemplateResult => html`
  <div class="chat-notice ${isWaiting ? '' : 'problem'}" role=${isWaiting ? 'status' : 'alert'}>
    <span .textContent=${text}></span>
    ${retry ? html`<button @click=${retry.onClick}>${retry.label}</button>` : nothing}
  </div>
`;

export const chatNoticeStyles = css`
  .chat-notice {
    padding: 0.75em 1em;
    border-radius: 0.75em;
    background: var(--_surface);
    font-size: 0.875em;
  }

  .chat-notice.problem span {
    color: var(--_danger);
  }

  .chat-notice button {
    margin: 0;
    padding: 0.25em 0;
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    font-weight: 600;
    text-decoration: underline;
  }

  .launcher-box .chat-notice {
    position: absolute;
    inset-block-end: calc(100% + 0.75em);
    inset-inline-end: 0;
    inline-size: max-content;
    max-inline-size: min(20em, 100vw - 2 * var(--_wc-offset-x));
    box-shadow: var(--_shadow);
  }

  :host([placement~='start']) .launcher-box .chat-notice {
    inset-inline: 0 auto;
  }
`;
