/** Renders the launcher on a server, with declarative shadow DOM, so that it stands before any script has run. */
import { chatPath, chevronPath } from '../../elements/launcher-icons.ts';
import { launcherStyles } from '../../elements/launcher.ts';
import { languageOf } from '../../locale/language.ts';
import { launcherStrings } from '../../locale/launcher-strings.ts';
import { host } from '../../styles/host.ts';
import { tokens } from '../../styles/tokens.ts';

/** The options of `renderLauncher`. Give them the values of the element's attributes. */
export interface RenderLauncherOptions {
  /**
   * The nonce of the page's `style-src`, or null when the page has no Content Security Policy. Without a nonce nothing is
   * rendered, because an unstyled launcher would stand in the page's text.
   */
  nonce: string | null | undefined;
  /** The language as a BCP 47 tag: `ar*` is Arabic, anything else English. */
  locale?: string;
  placement?: 'end' | 'start';
  colorScheme?: 'auto' | 'light' | 'dark';
  /** Replaces the button's accessible name. A launcher with a text has its text as its name. */
  label?: string;
  /** The text beside the icon: the attribute `launcher-label`. */
  launcherLabel?: string | null;
}

/** The sentence that is shown after a click until the chat opens. It is in the top layer, so it is placed in the viewport. */
const openingStyles = `
  .opening {
    inset: auto;
    inset-block-end: calc(max(var(--_wc-offset-y), env(safe-area-inset-bottom)) + var(--_wc-launcher-size) + 0.75em);
    inset-inline-end: var(--_wc-offset-x);
    margin: 0;
    padding: 0.75em 1em;
    border: 0;
    border-radius: 0.75em;
    background: var(--_surface);
    box-shadow: var(--_shadow);
  }

  :host([placement~='start']) .opening {
    inset-inline: var(--_wc-offset-x) auto;
  }
`;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');

/**
 * Renders the launcher as HTML for the content of `<workspace-chat>`. It disappears when the element starts: call
 * `hydrateLaunchers` in the browser, so that a click before that opens the chat.
 * @returns HTML, or an empty string without a nonce.
 * @example
 * ```js
 * const html = `<workspace-chat base-url="…" …>${renderLauncher({ nonce })}</workspace-chat>`;
 * ```
 */
export const renderLauncher = ({
  nonce,
  locale,
  placement = 'end',
  colorScheme = 'auto',
  label,
  launcherLabel,
}: RenderLauncherOptions): string => {
  if (nonce === undefined || nonce === '') return '';
  const language = languageOf(locale);
  const dir = language === 'ar' ? 'rtl' : 'ltr';
  const { openChat, opening } = launcherStrings[language];
  const name = escapeHtml(launcherLabel || label || openChat);
  const style = nonce === null ? '<style>' : `<style nonce="${escapeHtml(nonce)}">`;
  const css = [tokens, host, launcherStyles].map(({ cssText }) => cssText).join('') + openingStyles;
  // The button opens a popover without a script, which records the click.
  return (
    `<div data-workspace-chat-launcher placement="${escapeHtml(placement)}" color-scheme="${escapeHtml(colorScheme)}">` +
    `<template shadowrootmode="open">${style}${css}</style>` +
    `<div class="root launcher-box" dir="${dir}" lang="${language}">` +
    `<button class="launcher" type="button" popovertarget="opening" aria-label="${name}" aria-haspopup="dialog">` +
    `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${chatPath}"/><path d="${chevronPath}"/></svg><bdi>${escapeHtml(launcherLabel ?? '')}</bdi></button>` +
    `<div class="opening" id="opening" popover="manual" role="status">${opening}</div>` +
    '</div></template></div>'
  );
};
