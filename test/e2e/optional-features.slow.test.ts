/** What a site may switch on: teaser, picture, expansion, rating and speech, in both languages and color schemes. */
import type { Page } from '@playwright/test';
import { accessibilityViolations, inBothWidths } from '../support/pages/axe.ts';
import { expect, it } from '../support/fixtures.ts';
import { Widget } from '../support/pages/visit.ts';

const texts = {
  en: { teaser: 'Questions about a class? Ask us.', question: 'When are you open?' },
  ar: { teaser: 'هل لديك سؤال عن الدورات؟ اسألنا.', question: 'متى تفتحون؟' },
};

/** Opens the demo with everything switched on, in a browser that can speak and listen on the device. */
const openDemo = async (page: Page, url: string, language: 'en' | 'ar'): Promise<Widget> => {
  await page.route('https://images.example/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  );
  await page.addInitScript(`
    Object.defineProperty(navigator, 'userAgentData', { value: { brands: [{ brand: 'Google Chrome' }] } });
    window.SpeechRecognition = class extends EventTarget { static available = async () => 'available'; start() {} abort() {} };
    speechSynthesis.getVoices = () => [{ lang: 'en', localService: true }, { lang: 'ar', localService: true }];
    new MutationObserver(() => {
      const chat = document.querySelector('workspace-chat');
      if (!chat || chat.hasAttribute('teaser')) return;
      const options = {
        teaser: ${JSON.stringify(texts[language].teaser)}, 'teaser-delay': '0', feedback: '', speech: '', expand: '',
        avatar: 'https://images.example/avatar.svg', 'image-hosts': 'images.example',
      };
      for (const [name, value] of Object.entries(options)) chat.setAttribute(name, value);
    }).observe(document, { childList: true, subtree: true });`);
  await page.goto(`${url}?lang=${language}`);
  // axe does not know the top layer: to it, the launcher behind the panel covers the button of the dictation.
  await page.addStyleTag({
    content: '@media (width < 480px) { workspace-chat[open]::part(launcher) { visibility: hidden } }',
  });
  return new Widget(page);
};

const down = { en: 'Not helpful', ar: 'غير مفيد' };

it.describe('the optional features', () => {
  for (const language of ['en', 'ar'] as const) {
    for (const colorScheme of ['light', 'dark'] as const)
      it(`axe finds no violation in them: ${language}, ${colorScheme}`, async ({ newPage, demo }) => {
        const page = await newPage({ colorScheme, reducedMotion: 'reduce' });
        const look = (state: string) =>
          inBothWidths(page, async (width) => {
            expect(await accessibilityViolations(page, 'workspace-chat'), `${state}: ${width}`).toEqual([]);
          });
        const widget = await openDemo(page, demo.url, language);
        await expect(page.getByText(texts[language].teaser)).toBeVisible();
        await look('with a teaser');
        await widget.open();
        await widget.ask(texts[language].question);
        await expect(page.locator('workspace-chat .read-aloud').first()).toBeVisible();
        await expect(page.locator('workspace-chat workspace-chat-dictation button')).toBeVisible();
        await expect(page.locator('workspace-chat .avatar img').first()).toBeVisible();
        await look('with a picture, thumbs and speech');
        await page.getByRole('button', { name: down[language] }).first().click();
        await expect(page.locator('workspace-chat form.comment')).toBeVisible();
        await look('with a comment on a rating');
        await page.locator('workspace-chat [aria-haspopup=menu]').click();
        await expect(page.getByRole('menu')).toBeVisible();
        await look('with the menu');
      });

    it(`they fit into 320 px at 200 % text size: ${language}`, async ({ newPage, demo }) => {
      const page = await newPage({ viewport: { width: 320, height: 640 } });
      const widget = await openDemo(page, demo.url, language);
      await page.addStyleTag({ content: 'workspace-chat { --workspace-chat-font-size: 32px }' });
      const overflowing = () =>
        page.evaluate<string[]>(`
          [...document.querySelector('workspace-chat').shadowRoot.querySelectorAll('*')]
            .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden, svg'))
            .map((element) => [element, element.getBoundingClientRect()])
            .filter(([, { left, right, width }]) => width > 1 && (left < -1 || right > innerWidth + 1))
            .map(([element]) => element.outerHTML.slice(0, 120))`);
      await page
        .locator('workspace-chat')
        .evaluate((chat) => chat.setAttribute('teaser', 'Donaudampfschifffahrtsgesellschaft'));
      await expect(page.getByText('Donau')).toBeVisible();
      expect(await overflowing()).toEqual([]);
      const isClipped = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth;
      expect(await page.locator('workspace-chat .teaser span').evaluate(isClipped)).toBe(false);
      await widget.open();
      await widget.ask(texts[language].question);
      await page.getByRole('button', { name: down[language] }).first().click();
      await expect(page.locator('workspace-chat form.comment')).toBeVisible();
      expect(await overflowing()).toEqual([]);
    });
  }
});
