/** Requests the files behind the launcher before the visitor opens the panel. */
import type { Language } from '../locale/language.ts';
import { stageFiles } from './stage-files.ts';

/** The part of the Network Information API that is used. Only Chromium has it. */
interface NavigatorWithConnection extends Navigator {
  readonly connection?: { readonly saveData: boolean };
}

/**
 * Requests the stages and the strings with a low priority, without evaluating them. Does nothing when the browser saves data,
 * or when the page has no script tag of the widget: a policy may require a nonce, and would report the request. The files are
 * then loaded when the browser is idle.
 */
export const preloadStages = (language: Language): void => {
  if (!stageFiles || (navigator as NavigatorWithConnection).connection?.saveData) return;
  const { folder, stages } = stageFiles;
  const script = [...document.scripts].find(({ src }) => src.startsWith(folder));
  if (!script) return;
  const { nonce, crossOrigin } = script;
  for (const file of [stages, stageFiles[language]]) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', href: folder + file, nonce, crossOrigin, fetchPriority: 'low' });
    // Not needed any more. A page may create many elements, and each would leave its links.
    link.onload = link.onerror = link.remove;
    document.head.append(link);
  }
};
