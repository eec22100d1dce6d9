/** Fetches the files behind the launcher before the visitor opens the chat, when the browser is idle. */
import type { Language } from '../locale/language.ts';
import { builtFiles } from './built-files.ts';
import { chatFile, textFiles } from './files.ts';

/** The part of the Network Information API that is used. Only Chromium has it. */
interface NavigatorWithConnection extends Navigator {
  readonly connection?: { readonly saveData: boolean };
}

/** Whether the visitor wants to save data. */
const isDataSaved = (): boolean =>
  (navigator as NavigatorWithConnection).connection?.saveData === true ||
  matchMedia('(prefers-reduced-data: reduce)').matches;

/** Fetches a module with a low priority, without evaluating it. */
const preload = (href: string, { nonce, crossOrigin }: HTMLScriptElement): void => {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'modulepreload', href, nonce, crossOrigin, fetchPriority: 'low' });
  // Not needed any more. A page may create many elements, and each would leave its links.
  link.onload = link.onerror = link.remove;
  document.head.append(link);
};

/**
 * Fetches the chat and the texts of a language. Does nothing when the browser saves data. A page without a script tag of the
 * widget has no nonce that a preload could use, and its bundler knows the names of the files: there they are imported.
 */
export const prefetch = (language: Language): void => {
  if (isDataSaved()) return;
  const urls = builtFiles && [builtFiles.chat, builtFiles[language]];
  const folder = urls?.[0]!.replace(/[^/]*$/, '');
  const script = folder && [...document.scripts].find(({ src }) => src.startsWith(folder));
  if (urls && script) {
    for (const url of urls) preload(url, script);
    return;
  }
  // A failure is shown when the visitor opens the chat, which tries again.
  for (const file of [chatFile, textFiles[language]]) file.load().catch(() => {});
};
