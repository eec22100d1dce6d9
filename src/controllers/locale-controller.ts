/** Finds the element's language: its `locale` attribute, the nearest `lang`, or the browser's language. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PluralRule } from '../locale/counted-text.ts';
import { languageOf, normalizeTag, supportedTag, type Language } from '../locale/language.ts';
import type { LocaleDefinition } from '../locale/locale-definition.ts';
import { isRightToLeft } from '../locale/locale-name.ts';
import { attempt } from '../chat/storage/tab-flag.ts';
import { Registry } from './registry.ts';
import { followReturns } from './returned-page.ts';

const shadowHost = (element: Element): Element | null => {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
};

/** Returns the nearest `lang` attribute around an element, across shadow roots. */
const nearestLang = (start: Element): string | null => {
  for (let element = start.parentElement ?? shadowHost(start); element; element = shadowHost(element)) {
    const found = element.closest('[lang]');
    if (found) return found.getAttribute('lang');
  }
  return null;
};

/** Returns the longest registered tag that is the wanted one or its beginning, such as `fr` for `fr-CA`, or ''. */
const registeredTag = (registered: ReadonlyMap<string, unknown>, wanted: string): string =>
  !wanted || registered.has(wanted) ? wanted : registeredTag(registered, wanted.replace(/-?[^-]*$/, ''));

/** The languages that the elements of the page have registered, for the doctor. */
export const registeredLocales = new Registry<LocaleDefinition>(() => {});

/** Loads a language of the package. Returns the tag to register it for, or null for an unknown language or a file that does not load. */
export type LoadLocale = (tag: string) => Promise<{ tag: string; definition: LocaleDefinition } | null>;

/** The item of the tab with the tag that the visitor has chosen in the menu, on pages that were in the language `tag`. */
const choiceName = (tag: string): string => `workspace-chat-locale ${tag}`;

export class LocaleController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element & { locale: string | null };
  readonly #observer: MutationObserver;
  readonly #load: LoadLocale;
  /** The tag for which a language was requested last. */
  #requested = '';
  /** The tag of a language from right to left that was not found. */
  #missing = '';
  /** The tag of the page when it was loaded. */
  #pageTag = '';
  /** The languages that the page has registered. */
  readonly registry: Registry<LocaleDefinition>;
  /** The BCP 47 tag for `Intl`: the tag that was found if the widget speaks its language, otherwise the language. */
  tag!: string;
  /** The language of the widget's own strings. */
  language!: Language;
  dir!: 'ltr' | 'rtl';
  /** The registered language, or undefined. */
  definition: LocaleDefinition | undefined;
  /** The key of the language in the page's `strings`. */
  key!: string;

  constructor(host: ReactiveControllerHost & Element & { locale: string | null }, load: LoadLocale = async () => null) {
    this.#host = host;
    this.#load = load;
    const update = () => host.requestUpdate();
    this.#observer = new MutationObserver(update);
    this.registry = new Registry(update);
    this.resolve(false);
    host.addController(this);
    // The visitor may have chosen another language on the tab's other pages meanwhile.
    followReturns(host, () => this.#restoreChoice());
  }

  /**
   * Registers a language. Returns an unregister function.
   * @throws {RangeError} When the tag is not a BCP 47 tag.
   */
  register(tag: string, definition: LocaleDefinition): () => void {
    const canonical = Intl.getCanonicalLocales(tag)[0]!;
    const unregister = [this.registry, registeredLocales].map((each) => each.register(canonical, definition));
    return () => unregister.forEach((each) => each());
  }

  /** Uses a language that the visitor has chosen, also on the tab's next pages in the same language as this one. */
  choose(tag: string): void {
    attempt(() => sessionStorage.setItem(choiceName(this.#pageTag), tag));
    this.#host.locale = tag;
    // The texts of a language that was chosen before may not have been loaded.
    this.#host.requestUpdate();
  }

  hostConnected(): void {
    this.#observer.observe(document.documentElement, { subtree: true, attributeFilter: ['lang'] });
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
  }

  #restoreChoice(): void {
    this.#host.locale = attempt(() => sessionStorage.getItem(choiceName(this.#pageTag))) ?? this.#host.locale;
  }

  /**
   * Updates the language. Called at the start of an update, before other controllers run.
   * @param isOnPage Whether the element has its place and its attributes. A new one may know only the browser's language.
   */
  resolve(isOnPage = true): void {
    const { entries } = this.registry;
    const find = () =>
      [this.#host.locale, nearestLang(this.#host), navigator.language].map(normalizeTag).find(Boolean) ?? 'en';
    if (isOnPage && !this.#pageTag) {
      this.#pageTag = find();
      this.#restoreChoice();
    }
    const tag = find();
    const registered = registeredTag(entries, tag);
    const language = languageOf(tag);
    this.language = language;
    this.key = registered || language;
    this.definition = entries.get(registered);
    // The launcher would change sides when a language arrives that is written from right to left.
    const isRtl = language === 'ar' || (tag !== this.#missing && isRightToLeft(tag));
    this.dir = this.definition?.direction ?? (isRtl ? 'rtl' : 'ltr');
    this.tag = registered ? tag : supportedTag(tag, language);
    if (isOnPage && !registered && tag !== this.#requested) void this.#request(tag);
  }

  async #request(tag: string): Promise<void> {
    this.#requested = tag;
    const found = await this.#load(tag);
    // The page may have another language by now, or have registered this one.
    if (tag !== this.#requested || registeredTag(this.registry.entries, tag)) return;
    if (found) this.register(found.tag, found.definition);
    else if (isRightToLeft(tag)) {
      this.#missing = tag;
      this.#host.requestUpdate();
    }
  }

  readonly pluralRule: PluralRule = (count) =>
    this.definition?.plural?.(count) ?? new Intl.PluralRules(this.tag).select(count);
}
