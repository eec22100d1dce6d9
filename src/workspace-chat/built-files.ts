/**
 * The files that every conversation needs. In the modules for npm, the bundler of the application names them. The build of the
 * script tag replaces this module by one that knows their URLs: see `scripts/vite-plugins.ts`.
 */
import type { Language } from '../locale/language.ts';
import type { LocaleDefinition } from '../locale/locale-definition.ts';
import type { Strings } from '../locale/strings.ts';

/** The URLs that the launcher prefetches. Null where only the bundler of an application knows them. */
export const builtFiles: Readonly<Record<'chat' | Language, string>> | null = null;

/**
 * Evaluates the file of the chat, which hands itself over: see `chat-code.ts`.
 * @param _attempt Counts the repetitions. A URL that is still being requested cannot be requested again.
 */
export const importChat = (_attempt: number): Promise<unknown> => import('./chat-file.ts');

export const importStrings: Record<Language, (_attempt: number) => Promise<{ strings: Strings }>> = {
  en: () => import('../locale/en.ts'),
  ar: () => import('../locale/ar.ts'),
};

/** Imports a file of the folder `locales` by its name. Null in the modules for npm: a page registers what it imports. */
export const importLocale: ((_name: string, _attempt: number) => Promise<{ default: LocaleDefinition }>) | null = null;
