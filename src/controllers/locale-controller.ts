/** Finds the element's language: its `locale` attribute, the nearest `lang`, or the browser's language. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { languageOf, type Language } from '../locale/language.ts';

const shadowHost = (element: Element): Element | null => {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
};

/** Returns the nearest `lang` attribute around an element, across shadow roots. */
const nearestLang = (start: Element): string => {
  for (let element = start.parentElement ?? shadowHost(start); element; element = shadowHost(element)) {
    const found = element.closest('[lang]');
    if (found) return found.getAttribute('lang') ?? '';
  }
  return '';
};

const isTag = (tag: string): boolean => {
  try {
    return tag !== '' && Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
};

export class LocaleController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element & { locale: string | null };
  readonly #observer: MutationObserver;
  /** The BCP 47 tag for `Intl`: the tag that was found if the widget speaks its language, otherwise the language. */
  tag = 'en';
  language: Language = 'en';

  constructor(host: ReactiveControllerHost & Element & { locale: string | null }) {
    this.#host = host;
    this.#observer = new MutationObserver(() => host.requestUpdate());
    host.addController(this);
  }

  get dir(): 'ltr' | 'rtl' {
    return this.language === 'ar' ? 'rtl' : 'ltr';
  }

  hostConnected(): void {
    this.#observer.observe(document.documentElement, { attributes: true, attributeFilter: ['lang'] });
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
  }

  /** Updates the language. Called at the start of an update, before other controllers run. */
  resolve(): void {
    const tag = [this.#host.locale ?? '', nearestLang(this.#host), navigator.language].find(isTag) ?? 'en';
    this.language = languageOf(tag);
    this.tag = tag.toLowerCase().startsWith(this.language) ? tag : this.language;
  }
}
