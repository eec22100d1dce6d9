/**
 * The files behind the launcher, each loaded on demand: the chat, the texts of a language, and the extras, which a chat can be
 * without. `bundled-files.ts` replaces this file in a build of one script.
 */
import { lazyFile, type LazyFile } from '../chat/lazy-file.ts';
import type { LoadLocale } from '../controllers/locale-controller.ts';
import type { Language } from '../locale/language.ts';
import type { LocaleDefinition } from '../locale/locale-definition.ts';
import { localeName } from '../locale/locale-name.ts';
import { importChat, importLocale, importStrings } from './built-files.ts';
import { receiveChat } from './chat-code.ts';

export const chatFile = lazyFile(async (attempt) => {
  await importChat(attempt);
  return receiveChat();
});

const textFile = (language: Language) => lazyFile(async (attempt) => (await importStrings[language](attempt)).strings);

export const textFiles = { en: textFile('en'), ar: textFile('ar') };

const localeFiles = new Map<string, LazyFile<LocaleDefinition>>();

/** Loads a further language for the files of a script tag. A page in any other one has English texts, unless it registers its own. */
export const loadLocale: LoadLocale = async (tag) => {
  const name = localeName(tag);
  if (!importLocale || !name) return null;
  const file = localeFiles.get(name) ?? lazyFile(async (attempt) => (await importLocale!(name, attempt)).default);
  localeFiles.set(name, file);
  const definition = await file.load().catch(() => null);
  // Another script of the same language is another language.
  return definition && { tag: name.includes('-') ? tag : name, definition };
};

/** A teaser imports nothing of the chat's file, nor do a shortcut and the colors of older browsers: a page has them before a click. */
export const teaserFile = lazyFile(async () => (await import('./teaser.ts')).showTeaser);

export const shortcutFile = lazyFile(async () => (await import('./shortcut.ts')).followShortcut);

/** Unlike those before, it needs the file of the chat, whose code runs tools. */
export const webMcpFile = lazyFile(async () => (await import('./web-mcp.ts')).exchangeTools);

export const doctorFile = lazyFile(async () => (await import('../products/doctor/index.ts')).doctor);

export const inertChatFile = lazyFile(async () => (await import('./inert-chat.ts')).defineInertChat);

export const olderBrowsersFile = lazyFile(async () => (await import('../styles/older-browsers.ts')).adaptColors);
