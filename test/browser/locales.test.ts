import { expect } from '@open-wc/testing';
import type { LocaleDefinition, WorkspaceChatElement } from '../../src/element.ts';
import { ConsentGate } from '../../src/workspace-chat/consent.ts';
import { LocaleController, type LoadLocale } from '../../src/controllers/locale-controller.ts';
import { Registry } from '../../src/controllers/registry.ts';
import fa from '../../src/locale/added/fa.ts';
import fr from '../../src/locale/added/fr.ts';
import he from '../../src/locale/added/he.ts';
import { strings as arabic } from '../../src/locale/ar.ts';
import { strings as english } from '../../src/locale/en.ts';
import type { Strings } from '../../src/locale/strings.ts';
import { readLanguages } from '../../src/products/doctor/languages.ts';
import { toViewState } from '../../src/workspace-chat/view-state.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';
import { addMarkup, mount, until, recordErrors } from '../support/pages/element.ts';

const labelOf = (element: WorkspaceChatElement) =>
  element.shadowRoot!.querySelector('.launcher')?.getAttribute('aria-label');

describe('A registered language', () => {
  it('is used for its tag and for the regions of it, until it is unregistered', async () => {
    const { element } = await mount([], { mode: 'floating', locale: 'fr-CA' });
    expect(labelOf(element)).to.equal('Open chat');
    const unregister = element.registerLocale('FR', fr);
    await until(() => labelOf(element) === 'Ouvrir le chat');
    expect(element.shadowRoot!.querySelector('.root')!.getAttribute('lang')).to.equal('fr-CA');
    unregister();
    await until(() => labelOf(element) === 'Open chat');
  });

  for (const [locale, definition, comma] of [
    ['fa', fa, '،'],
    ['he', he, ','],
  ] as const)
    it(`has its own comma before the number of unread messages (${locale})`, async () => {
      const { element, find } = await mount([streamed(started())], { mode: 'floating', locale });
      element.registerLocale(locale, definition);
      await element.send('Hi');
      await until(() => find('.badge'));
      expect(labelOf(element)!.startsWith(`${definition.strings.openChat}${comma} `)).to.equal(true);
    });

  it('gives way to one of a longer tag', async () => {
    const { element } = await mount([], { mode: 'floating', locale: 'fr-CA' });
    const canadian = { ...fr, strings: { ...fr.strings, openChat: 'Ouvrir le clavardage' } };
    element.registerLocale('fr-CA', canadian);
    element.registerLocale('fr', fr);
    await until(() => labelOf(element) === 'Ouvrir le clavardage');
  });

  it('is written from right to left when it says so, with a composer and a menu in the language', async () => {
    const { element, find, findAll } = await mount([], { locale: 'fa' });
    element.registerLocale('fa', fa);
    await until(() => find<HTMLTextAreaElement>('textarea')?.placeholder === fa.strings.placeholder);
    expect(find('.root').getAttribute('dir')).to.equal('rtl');
    expect(getComputedStyle(find('textarea')).direction).to.equal('rtl');
    find<HTMLButtonElement>('[aria-haspopup=menu]').click();
    const items = () => findAll('[role=menuitem]').map((item) => item.textContent?.trim());
    await until(() => items().length > 0);
    expect(items()).to.deep.equal(['English', 'العربية']);
    findAll<HTMLButtonElement>('[role=menuitem]')[0]!.click();
    await until(() => find<HTMLTextAreaElement>('textarea').placeholder === 'Write a message…');
    find<HTMLButtonElement>('[aria-haspopup=menu]').click();
    await until(() => items().includes('فارسی'));
  });

  it('shows a text that it lacks in English, and the doctor names it', async () => {
    const { heading: _heading, ...rest } = fr.strings;
    const { element, find } = await mount([], { locale: 'fr' });
    element.registerLocale('fr', { ...fr, strings: rest } as LocaleDefinition);
    await until(() => find<HTMLTextAreaElement>('textarea')?.placeholder === fr.strings.placeholder);
    expect(find('.root').getAttribute('aria-label')).to.equal('Chat with us');
    element.strings = { fr: { heading: 'Écrivez-nous' } };
    await until(() => find('.root').getAttribute('aria-label') === 'Écrivez-nous');
    let missing: string[] = [];
    await until(() => {
      void readLanguages(async () => english).then(
        (languages) => (missing = languages.flatMap((language) => language.missing)),
      );
      return missing.includes('heading');
    });
  });

  it('is examined by the doctor while the chat is closed', async () => {
    const { element } = await mount([], { mode: 'floating' });
    element.registerLocale('sq', fr);
    let tags: string[] = [];
    await until(() => {
      void readLanguages(async () => english).then((languages) => (tags = languages.map(({ tag }) => tag)));
      return tags.includes('sq');
    });
    expect(element.open).to.equal(false);
  });

  it('has its own overrides among those of the page', async () => {
    const { element, find } = await mount([], { locale: 'fr' });
    element.strings = { fr: { placeholder: 'Votre question…' }, en: { placeholder: 'Your question…' } };
    element.registerLocale('fr', fr);
    await until(() => find<HTMLTextAreaElement>('textarea')?.placeholder === 'Votre question…');
  });

  it('counts with its own plural rule', async () => {
    const { element, find } = await mount([], { locale: 'fr' });
    const strings = { ...fr.strings, tooLong: { few: 'few: #', other: 'other: #' } };
    element.registerLocale('fr', { ...fr, strings, plural: () => 'few' });
    await until(() => find<HTMLTextAreaElement>('textarea')?.placeholder === fr.strings.placeholder);
    element.setDraft('x'.repeat(8_003));
    await until(() => find('.banner')?.textContent?.includes('few: 3'));
  });

  it('applies its texts and its direction as soon as the strings behind it are loaded, and not before', async () => {
    const { element } = await mount([], { mode: 'floating', locale: 'ar' });
    element.strings = { ar: { send: 'أرسل' } };
    const host = {
      element,
      locale: new LocaleController(element),
      consent: new ConsentGate(element),
      suggestions: null,
      isNew: true,
      feedbackListeners: { isEmpty: true },
      blocks: new Registry<never>(() => {}),
    };
    host.locale.resolve();
    expect(host.locale.dir).to.equal('rtl');
    const shown = (loaded: Strings, language: 'en' | 'ar') => {
      const { dir, strings } = toViewState(host, loaded, language);
      return `${dir} ${strings.send}`;
    };
    expect(shown(english, 'en')).to.equal('ltr Send');
    expect(shown(arabic, 'ar')).to.equal('rtl أرسل');
    element.locale = 'fr';
    host.locale.registry.register('fr', fr);
    host.locale.resolve();
    expect(shown(arabic, 'ar')).to.equal('rtl أرسل');
    expect(shown(english, 'en')).to.equal('ltr Envoyer');
  });

  describe('while the file of a language is loaded', () => {
    const load = async () => {
      const { element } = await mount([], { mode: 'floating', locale: 'he' });
      const ends = new Map<string, (found: Awaited<ReturnType<LoadLocale>>) => void>();
      const locale = new LocaleController(element, (tag) => new Promise((resolve) => ends.set(tag, resolve)));
      locale.resolve();
      const end = async (tag: string, found: Awaited<ReturnType<LoadLocale>>) => {
        ends.get(tag)!(found);
        await new Promise((resolve) => setTimeout(resolve));
        locale.resolve();
      };
      return { element, locale, end };
    };

    it('is not replaced by it when the page has registered its own', async () => {
      const { locale, end } = await load();
      const own = { ...fr, direction: 'rtl' } as const;
      locale.register('he', own);
      await end('he', { tag: 'he', definition: fr });
      expect(locale.definition).to.equal(own);
    });

    it('does not make English texts run from right to left when that file fails after the one of a later language', async () => {
      const { element, locale, end } = await load();
      element.locale = 'fa';
      locale.resolve();
      expect(locale.dir).to.equal('rtl');
      for (const tag of ['fa', 'he']) await end(tag, null);
      expect(locale.dir).to.equal('ltr');
    });
  });

  it('needs a valid tag', async () => {
    const { element } = await mount([], { mode: 'floating' });
    expect(() => element.registerLocale('not a tag', fr)).to.throw(RangeError);
  });
});

it('The lang of the page, or the nearest one inside it, is followed when it changes', async () => {
  const around = addMarkup('<main></main>');
  const { element, find } = await mount();
  around.append(element);
  element.locale = null;
  for (const changing of [document.documentElement, around])
    for (const [lang, label, dir] of [
      ['ar-OM', 'الرسالة', 'rtl'],
      ['en', 'Message', 'ltr'],
    ] as const) {
      changing.lang = lang;
      await until(() => find('textarea')?.getAttribute('aria-label') === label);
      expect(find('section').dir).to.equal(dir);
    }
});

describe('A language that the visitor has chosen in the menu', () => {
  const choose = async ({ find, findAll }: Awaited<ReturnType<typeof mount>>, name: string) => {
    find<HTMLButtonElement>('[aria-haspopup=menu]').click();
    const named = () =>
      findAll<HTMLButtonElement>('[role=menuitem]').find(({ textContent }) => textContent?.trim() === name);
    await until(() => named() !== undefined);
    named()!.click();
  };

  it('is also that of the next page, until that asks for another one, and not of a page in another language', async () => {
    const first = await mount([], { locale: 'en-GB' });
    await choose(first, 'العربية');
    await until(() => first.find('.root').getAttribute('dir') === 'rtl');
    first.element.remove();
    const { element: next } = await mount([], { mode: 'floating', locale: 'en-GB' });
    expect(labelOf(next)).to.equal('فتح المحادثة');
    next.locale = 'en-GB';
    await until(() => labelOf(next) === 'Open chat');
    const { element: other } = await mount([], { mode: 'floating', locale: 'en-US' });
    expect(labelOf(other)).to.equal('Open chat');
  });

  it('is that of the next page also for an element of the page, which is created before it has its attributes', async () => {
    sessionStorage.setItem('workspace-chat-locale en-GB', 'ar');
    const box = document.createElement('div');
    box.innerHTML = '<workspace-chat locale="en-GB" storage="memory"></workspace-chat>';
    document.body.append(box);
    const element = box.firstElementChild as WorkspaceChatElement;
    await until(() => element.locale === 'ar');
    box.remove();
  });

  it('can be changed back to that of the page', async () => {
    const page = await mount([], { locale: 'ar' });
    await choose(page, 'English');
    await until(() => page.find('.root').getAttribute('dir') === 'ltr');
    expect(page.element.locale).to.equal('en');
    await choose(page, 'العربية');
    await until(() => page.find('.root').getAttribute('dir') === 'rtl');
    expect(page.find('textarea').getAttribute('aria-label')).to.equal('الرسالة');
  });
});

it('The header shows a Latin heading at its start when it is written from right to left', async () => {
  const { find } = await mount([], { locale: 'ar', heading: 'Palm & Clay' });
  const text = await until(() => find('.header bdi'));
  await until(() => getComputedStyle(text).direction === 'ltr');
  const title = find('.header h2').getBoundingClientRect();
  expect(text.getBoundingClientRect().right).to.be.closeTo(title.right, 1);
  expect(text.getBoundingClientRect().left).to.be.greaterThan(title.left + 20);
});

describe('The attribute “starters”', () => {
  it('is one starter when it is a text, as the server of a framework writes a list of one, and none when it is empty', async () => {
    const { element, findAll } = await mount([], { starters: 'When are you open?' });
    await until(() => findAll('.starter').length === 1);
    expect(findAll('.starter')[0]?.textContent?.trim()).to.equal('When are you open?');
    element.setAttribute('starters', '');
    await until(() => findAll('.starter').length === 0);
  });

  it('is reported when it is not a JSON array, and the chat has none', async () => {
    const errors = recordErrors();
    const { findAll } = await mount([], { starters: '[When are you open?]' });
    await until(() => errors.some((message) => message.includes('“starters” must be a list of texts')));
    expect(findAll('.starter').length).to.equal(0);
  });
});
