/** The launcher: the floating button that opens and closes the panel. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { LauncherStrings } from '../locale/launcher-strings.ts';
import { chatShape, chevronShape } from './launcher-icons.ts';

export interface LauncherOptions {
  strings: LauncherStrings;
  dir: 'ltr' | 'rtl';
  lang: string;
  isOpen: boolean;
  unread: number;
  /** The sentence that replaces the panel, or an empty string. */
  problem: string;
  /** False when the page opens the panel itself. */
  hasButton: boolean;
  onClick: (event: Event) => void;
  /** Called when the visitor points at the button or focuses it. */
  onIntent: () => void;
}

export const launcher = (options: LauncherOptions): TemplateResult => {
  const { strings, dir, lang, isOpen, unread, problem, hasButton, onClick, onIntent } = options;
  const label = isOpen ? strings.closeChat : strings.openChat;
  const hasBadge = unread > 0 && !isOpen;
  return html`
    <div class="root launcher-box" popover="manual" dir=${dir} lang=${lang}>
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
      <button
        class="launcher"
        part="launcher"
        ?hidden=${!hasButton}
        aria-label=${hasBadge ? `${label}, ${strings.unread(unread)}` : label}
        aria-expanded=${isOpen ? 'true' : 'false'}
        aria-haspopup="dialog"
        @click=${onClick}
        @pointerenter=${onIntent}
        @pointerdown=${onIntent}
        @focus=${onIntent}
      >
        <slot name="launcher-icon"
          ><svg viewBox="0 0 24 24" aria-hidden="true">${isOpen ? chevronShape : chatShape}</svg></slot
        >
      </button>
      ${hasBadge ? html`<span class="badge" part="badge" aria-hidden="true">${unread > 99 ? '99+' : unread}</span>` : nothing}
    </div>
  `;
};

export const launcherStyles = css`
  .launcher-box {
    position: fixed;
    inset: auto;
    inset-block-end: max(var(--_offset-y), env(safe-area-inset-bottom));
    inset-inline-end: var(--_offset-x);
    inline-size: var(--_launcher-size);
    block-size: var(--_launcher-size);
    margin: 0;
    padding: 0;
    border: 0;
    overflow: visible;
    background: none;
  }

  :host([placement='start']) .launcher-box {
    inset-inline: var(--_offset-x) auto;
  }

  .launcher {
    display: grid;
    place-items: center;
    inline-size: 100%;
    block-size: 100%;
    padding: 0;
    border: 0;
    border-radius: 50%;
    background: var(--_accent);
    color: var(--_on-accent);
    box-shadow:
      0 0.125em 0.375em rgb(15 20 40 / 20%),
      0 0.5em 1.5em rgb(15 20 40 / 22%);
    transition: transform 0.15s ease-out;
  }

  .launcher svg {
    inline-size: 1.6em;
    block-size: 1.6em;
  }

  .launcher:hover {
    transform: scale(1.05);
  }

  .launcher:focus-visible {
    outline: 0.1875em solid var(--_surface);
    outline-offset: -0.375em;
    box-shadow: 0 0 0 0.1875em var(--_accent-text);
  }

  .badge {
    position: absolute;
    inset-block-start: -0.25em;
    inset-inline-end: -0.25em;
    min-inline-size: 1.6em;
    padding-inline: 0.4em;
    border-radius: 1em;
    background: var(--_badge);
    color: #fff;
    font-size: 0.75em;
    font-weight: 700;
    line-height: 1.6;
    text-align: center;
    pointer-events: none;
    box-shadow: 0 0 0 0.15em var(--_surface);
  }

  .launcher-box .problem {
    position: absolute;
    inset-block-end: calc(100% + 0.75em);
    inset-inline-end: 0;
    inline-size: max-content;
    max-inline-size: min(20em, 100vw - 2 * var(--_offset-x));
    margin: 0;
    padding: 0.75em 1em;
    border-radius: 0.75em;
    background: var(--_surface);
    box-shadow: var(--_shadow);
    font-size: 0.875em;
  }

  .problem {
    color: var(--_danger);
  }

  @media (prefers-reduced-motion: reduce) {
    .launcher {
      transition: none;
    }
  }

  @media (forced-colors: active) {
    .launcher {
      border: 2px solid ButtonText;
    }
  }

  @media print {
    .launcher-box {
      display: none;
    }
  }
`;
