/** Finds the language that the element speaks: its own `locale`, the nearest `lang`, the browser's. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { languageOf, type Language } from '../locale/language.ts';

const shadowHost = (element: Element): Element | null => {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
};

/** The nearest `lang` around an element, through shadow roots. */
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
  /** For `Intl`: the tag that was found, when it is one of the language spoken. */
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

  /** Looks again. A rendering needs it first of all, before controllers get their turn. */
  resolve(): void {
    const tag = [this.#host.locale ?? '', nearestLang(this.#host), navigator.language].find(isTag) ?? 'en';
    this.language = languageOf(tag);
    this.tag = tag.toLowerCase().startsWith(this.language) ? tag : this.language;
  }
}
