/** Runs the live examples of the docs as the site runs them: in a frame, with the element and a fake service. */
import { expect, waitUntil } from '@open-wc/testing';
import { exampleDocument } from '../../docs/site/example-document.ts';
import { liveFencesIn, type LiveFence } from '../../docs/site/live-fences.ts';

type Fence = LiveFence & { code: string };

const modules = {
  'workspace-chat': new URL('../../src/index.ts', import.meta.url).href,
  'workspace-chat/client': new URL('../../src/entries/client.ts', import.meta.url).href,
  'workspace-chat/testing': new URL('../../src/entries/testing.ts', import.meta.url).href,
};

const fetchText = async (path: string): Promise<string> => {
  const response = await fetch(new URL(`../../docs/${path}`, import.meta.url));
  expect(response.status, path).to.equal(200);
  return response.text();
};

/** A browser without windows denies every page its notifications. */
const mayNotify = `Object.defineProperty(Notification, 'permission', { value: 'default' });`;

/** Shows the example in a frame until the end of the test. */
let frame: HTMLIFrameElement;
const run = async ({ name, language, code }: Fence, edited = code, page: 'en' | 'ar' = 'en'): Promise<Document> => {
  const preparation = await fetchText(`examples/${name}.js`);
  const environment = { modules, language: page, colorScheme: 'light' } as const;
  frame = document.createElement('iframe');
  frame.title = name;
  frame.style.cssText = 'inline-size: 40rem; block-size: 40rem';
  frame.srcdoc = exampleDocument({ name, language, code: edited, preparation: mayNotify + preparation }, environment);
  const loaded = new Promise((resolve) => {
    frame.addEventListener('load', resolve, { once: true });
  });
  document.body.append(frame);
  await loaded;
  return frame.contentDocument!;
};

/** Milliseconds that an example may take: each has a page of its own, which loads the widget. */
const timeout = 25_000;

const chatIn = (page: Document): Element => page.querySelector('workspace-chat')!;
const textOf = (page: Document): string =>
  `${chatIn(page)?.shadowRoot?.textContent ?? ''} ${page.body.textContent}`.replaceAll(/\s+/g, ' ');
const showsText = (page: Document, text: string): Promise<void> =>
  waitUntil(() => textOf(page).includes(text), `“${text}” is shown`, { timeout });
/** Waits for an element, and returns it. */
const waitFor = async (query: () => HTMLElement | null | undefined, description: string): Promise<HTMLElement> => {
  await waitUntil(query, description, { timeout });
  return query()!;
};
const find = (page: Document, selector: string): Promise<HTMLElement> =>
  waitFor(() => chatIn(page).shadowRoot!.querySelector<HTMLElement>(selector), `there is ${selector}`);
const named = (page: Document, selector: string, name: string): Promise<HTMLElement> => {
  const all = () => [...chatIn(page).shadowRoot!.querySelectorAll<HTMLElement>(selector)];
  return waitFor(() => all().find((each) => each.textContent?.trim() === name), `there is “${name}”`);
};
const button = (page: Document, name: string) => named(page, 'button', name);
const menuItem = (page: Document, name: string) => named(page, `[role='menuitem']`, name);

/** What each example shows, by the page and the name of its preparation. */
const expectations: Record<string, (page: Document, code: string) => Promise<void>> = {
  async theming(page, code) {
    await showsText(page, 'And on Sunday?');
    if (!code.includes('--workspace-chat-accent: #0b6e4f')) return;
    const bubble = await find(page, `[part~='message-visitor'] [part~='bubble']`);
    expect(getComputedStyle(bubble).backgroundColor).to.equal('rgb(11, 110, 79)');
  },
  async launcher(page) {
    await button(page, 'Need help?');
  },
  async strings(page) {
    await find(page, `textarea[placeholder='Ask about your order']`);
  },
  async 'loyalty-card'(page) {
    await showsText(page, '1250 points');
    (await button(page, 'Redeem')).click();
    await showsText(page, 'You have 250 points left.');
  },
  async form(page) {
    await showsText(page, 'Your own mug');
    const field = (await find(page, `[part~='field']`)) as HTMLInputElement;
    field.value = 'Lina';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    (await button(page, 'Send')).click();
    await showsText(page, 'act_order {"name":"Lina"');
    await showsText(page, 'We will send you a draft.');
  },
  async 'client-tool'(page) {
    await showsText(page, 'Your order is shipped, and arrives on Monday.');
    await showsText(page, 'Used: Order status');
  },
  async confirm(page) {
    await showsText(page, 'Cancel order 4711?');
    (await button(page, 'Allow')).click();
    await showsText(page, 'Your order is canceled.');
  },
  async identity(page) {
    await showsText(page, 'Hello Lina! The proof of identity names the customer cus_42.');
  },
  async client(page) {
    await waitUntil(() => page.querySelectorAll('li').length === 2, 'a message and a reply are listed');
    const items = [...page.querySelectorAll('li')].map((item) => item.textContent);
    expect(items).to.deep.equal(['user: When do you open?', 'assistant: We open at nine.']);
  },
  async suggestions(page) {
    (await button(page, 'Where is my order?')).click();
    await showsText(page, 'You have asked: Where is my order?');
  },
  async links(page) {
    const link = (await find(page, `a[href='https://shop.example/returns']`)) as HTMLAnchorElement;
    expect(link.textContent).to.contain('Returns');
    await showsText(page, 'Costs and times');
  },
  async consent(page) {
    expect(localStorage.getItem('workspace-chat-consent agt_fake')).to.equal(null);
    (await button(page, 'I agree')).click();
    await showsText(page, 'I agree to the privacy policy of this shop.');
    await find(page, 'textarea');
  },
  async 'team-hours'(page) {
    await showsText(page, 'The team is back');
  },
  async teaser(page) {
    await showsText(page, 'Was your card declined?');
    (await button(page, 'Which cards do you accept?')).click();
    await showsText(page, 'You have asked: Which cards do you accept?');
  },
  async ratings(page) {
    (await button(page, 'Good')).click();
    await waitUntil(() => page.querySelector('.example-output')?.textContent?.trim() === '1', 'the rating is reported');
  },
  async notices(page) {
    await button(page, 'Notify me');
  },
  async transcript(page) {
    await showsText(page, 'We open at nine.');
    (await find(page, `[aria-haspopup='menu']`)).click();
    (await menuItem(page, 'Send by e-mail')).click();
    const field = (await find(page, `input[type='email']`)) as HTMLInputElement;
    field.value = 'lina@example.com';
    field.form!.requestSubmit();
    await showsText(page, 'The conversation was sent to');
    await showsText(page, 'x-conversation-proof');
  },
  async 'past-conversations'(page) {
    (await button(page, 'Past conversations')).click();
    await find(page, '.past .starter');
    await showsText(page, 'Do you repair bowls?');
    (await find(page, '.past li:last-child .starter')).click();
    await showsText(page, 'A teammate will call you today.');
  },
  async formulas(page) {
    await find(page, 'math munderover, math msubsup, math munder');
    await showsText(page, 'It costs $5 or $10.');
  },
  async 'code-colors'(page) {
    await showsText(page, 'A style sheet:');
    const { highlights } = (page.defaultView as unknown as { CSS: { highlights: { size: number } } }).CSS;
    await waitUntil(() => highlights.size > 0, 'code has colors', { timeout });
  },
  async shortcut(page) {
    await find(page, `button[aria-keyshortcuts='Alt+C']`);
    page.dispatchEvent(new KeyboardEvent('keydown', { key: 'c', code: 'KeyC', altKey: true, bubbles: true }));
    await waitUntil(() => chatIn(page).hasAttribute('open'), 'the chat opens');
  },
  async languages(page) {
    await find(page, `textarea[placeholder='Skriv ett meddelande…']`);
  },
};

/** The number of live examples of each page. */
const pages = {
  theming: 6,
  'start-designer': 1,
  blocks: 2,
  'client-tools': 2,
  identity: 1,
  client: 1,
  accessibility: 1,
  'text-of-replies': 2,
  'recipes/suggestions': 2,
  'recipes/consent': 1,
  'recipes/hand-over': 1,
  'recipes/proactive': 1,
  'recipes/ratings': 1,
  'recipes/notices': 1,
  'recipes/transcript': 1,
  'recipes/past-conversations': 1,
};

describe('The live examples of the docs', () => {
  afterEach(() => frame.remove());

  for (const [page, count] of Object.entries(pages)) {
    for (let index = 0; index < count; index++) {
      it(`show what ${page}.md describes, number ${index + 1}`, async () => {
        const fences = liveFencesIn(await fetchText(`${page}.md`));
        expect(fences.length).to.equal(count);
        const fence = fences[index]!;
        const shown = await run(fence);
        await expectations[fence.name]!(shown, fence.code);
        expect(shown.querySelector('.example-problem')?.textContent).to.equal(undefined);
      });
    }
  }

  it('are in Arabic on an Arabic page', async () => {
    const [fence] = liveFencesIn(await fetchText('ar/start-designer.md'));
    const page = await run(fence!, fence!.code, 'ar');
    await showsText(page, 'نفتح عند التاسعة');
    await showsText(page, 'ويوم الأحد؟');
    expect(getComputedStyle(page.body).direction).to.equal('rtl');
  });

  it('show an order on the home page', async () => {
    const page = await run({ name: 'home', language: 'html', code: '<workspace-chat mode="inline"></workspace-chat>' });
    await showsText(page, 'It left our studio this morning.');
    await showsText(page, 'Shipped');
    (await button(page, 'When are you open?')).click();
    await showsText(page, 'We are open from 9 to 6');
  });

  it('show the error of code that a reader has edited', async () => {
    const [fence] = liveFencesIn(await fetchText('identity.md'));
    const page = await run(fence!, 'chat.contact = noSuchName;');
    await waitUntil(() => page.querySelector('.example-problem'), 'the error is shown');
    expect(page.querySelector('.example-problem')!.textContent).to.include('noSuchName');
  });
});
