/** The launcher: the floating button that opens and closes the panel. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { countedText, numberTag, type PluralRule } from '../locale/counted-text.ts';
import { isolatedNumbers } from '../locale/isolated-numbers.ts';
import type { LauncherStrings } from '../locale/launcher-strings.ts';
import { chatNotice, type ChatNotice } from './chat-notice.ts';
import { chatPath, chevronPath } from './launcher-icons.ts';

export interface LauncherOptions {
  strings: LauncherStrings;
  pluralRule: PluralRule;
  dir: 'ltr' | 'rtl';
  lang: string;
  isOpen: boolean;
  unread: number;
  /** A text beside the icon, which is also the accessible name of the closed launcher, or null. */
  text: string | null;
  /** The sentence that stands in place of the panel, or null. */
  notice: ChatNotice | null;
  /** False when the page opens the panel itself. */
  hasButton: boolean;
  onClick: (event: MouseEvent) => void;
  /** Called when the visitor points at the button or focuses it. */
  onIntent: () => void;
}

export const launcher = (options: LauncherOptions): TemplateResult => {
  const { strings, pluralRule, dir, lang, isOpen, unread, text, notice, hasButton, onClick, onIntent } = options;
  const label = isOpen ? strings.closeChat : text || strings.openChat;
  const hasBadge = unread > 0 && !isOpen;
  const shownText = isOpen ? null : text && isolatedNumbers(text);
  return html`
    <div class="root launcher-box" dir=${dir} lang=${lang}>
      ${notice ? chatNotice(notice) : nothing}
      <button
        class="launcher ${shownText && 'wide'}"
        part="launcher"
        ?hidden=${!hasButton}
        aria-label=${hasBadge ? `${label}${/^(?:ar|fa|ur)\b/.test(lang) ? '،' : ','} ${countedText(strings.unread, pluralRule, unread, numberTag(lang))}` : label}
        aria-expanded=${isOpen}
        aria-haspopup="dialog"
        @click=${onClick}
        @pointerenter=${onIntent}
        @focus=${onIntent}
      >
        <slot name="launcher-icon"
          ><svg viewBox="0 0 24 24" aria-hidden="true">
            <path d=${chatPath} />
            <path d=${chevronPath} /></svg></slot
        ><bdi>${shownText}</bdi>
      </button>
      ${hasBadge ? html`<span class="badge" part="badge" aria-hidden="true" .textContent=${Math.min(unread, 99).toLocaleString(numberTag(lang)) + (unread > 99 ? '+' : '')}></span>` : nothing}
    </div>
  `;
};

export const launcherStyles = css`
  .launcher-box {
    position: fixed;
    inset: auto;
    inset-block-end: max(var(--_wc-offset-y), env(safe-area-inset-bottom));
    inset-inline-end: var(--_wc-offset-x);
    max-inline-size: calc(100vi - 2 * var(--_wc-offset-x));
    margin: 0;
    padding: 0;
    border: 0;
    overflow: visible;
    background: none;
  }

  :host([placement~='start']) .launcher-box {
    inset-inline: var(--_wc-offset-x) auto;
  }

  :host([layer~='page']) :is(.launcher-box, .panel) {
    z-index: var(--_z-index);
  }

  .launcher {
    display: flex;
    align-items: center;
    justify-content: center;
    min-inline-size: var(--_wc-launcher-size);
    min-block-size: var(--_wc-launcher-size);
    padding: 0;
    /* Visible where the page has the color of the launcher, and in forced colors. */
    border: 1px solid var(--_on-accent);
    border-radius: var(--_launcher-radius);
    background: var(--_accent);
    color: var(--_on-accent);
    font: inherit;
    font-weight: 600;
    box-shadow: var(--_shadow);
    transition: scale calc(0.15s * var(--_motion));
  }

  .wide {
    gap: 0.5em;
    padding: 0.5em 1.25em;
  }

  .launcher svg {
    inline-size: 1.6em;
    block-size: 1.6em;
  }

  /* One icon fades while the other one appears. */
  .launcher path {
    transform-origin: center;
    transition: calc(0.18s * var(--_motion)) ease-out;
    transition-property: opacity, transform;
  }

  .launcher[aria-expanded='true'] path:first-child,
  .launcher[aria-expanded='false'] path + path {
    opacity: 0;
    transform: scale(0.6);
  }

  .launcher:hover {
    scale: 1.05;
  }

  .launcher:focus-visible {
    /* Inside, because the color of the page around the launcher is unknown. */
    outline: 0.1875em solid;
    outline-offset: -0.375em;
  }

  .badge {
    position: absolute;
    inset-block-start: -0.25em;
    inset-inline-end: -0.25em;
    min-inline-size: 1.6em;
    padding-inline: 0.4em;
    border-radius: 1em;
    background: var(--_danger);
    color: var(--_surface);
    font-size: 0.75em;
    font-weight: 700;
    line-height: 1.6;
    text-align: center;
    pointer-events: none;
    /* Not a shadow, which forced colors remove. */
    outline: 0.15em solid var(--_surface);
  }

  @media print {
    .launcher-box,
    dialog.panel {
      display: none !important;
    }
  }
`;
