import { expect } from '@open-wc/testing';
import type { WorkspaceChatConsentEvent } from '../../src/element.ts';
import { mount, unmountAll, until, recordErrors } from '../support/pages/element.ts';
import { openStream, replyWith, started, streamed } from '../support/fakes/fake-service.ts';

describe('Suggestions of the page', () => {
  const shown = (findAll: (selector: string) => HTMLElement[]) =>
    findAll('.suggestions button').map(({ textContent }) => textContent.trim());

  it('stand below the last reply, four at most, until the next message', async () => {
    const { element, find, findAll, service } = await mount([streamed(started())]);
    await element.send('Hi');
    const announced: unknown[] = [];
    find('workspace-chat-panel').addEventListener('attention', (event) =>
      announced.push((event as CustomEvent<unknown>).detail),
    );
    element.suggest(['One', 'أين طلبي؟', 'Three', 'Four', 'Five']);
    await until(() => find('.suggestions'));
    expect(announced).to.deep.equal(['suggestions-shown']);
    expect(shown(findAll)).to.deep.equal(['One', 'أين طلبي؟', 'Three', 'Four']);
    expect(find('.suggestions').getAttribute('aria-label')).to.equal('Suggestions');
    expect(findAll('.suggestions button')[1]!.getAttribute('dir')).to.equal('rtl');
    service.add(replyWith('Here it is', { id: 'msg_2' }));
    findAll('.suggestions button')[1]!.click();
    await until(() => !find('.suggestions'));
    await until(() => findAll('.agent .text').length === 2);
    expect(service.calls.at(-1)!.body.messages.at(-1)!.content).to.equal('أين طلبي؟');
    expect(find('.suggestions')).to.equal(null);
  });

  it('that the page makes while a reply streams are shown when it is complete', async () => {
    const stream = openStream();
    const { element, find, findAll } = await mount([stream.reply]);
    const sending = element.send('Hi');
    stream.write('delta', { text: 'Hel' });
    await until(() => find('.agent .text'));
    element.suggest(['Next']);
    expect(find('.suggestions')).to.equal(null);
    stream.write('done', started());
    await sending;
    await until(() => find('.suggestions'));
    expect(shown(findAll)).to.deep.equal(['Next']);
  });

  it('are replaced by the next call, and removed by an empty list', async () => {
    const { element, find, findAll } = await mount([streamed(started())]);
    await element.send('Hi');
    element.suggest(['One']);
    await until(() => find('.suggestions'));
    element.suggest(['Two']);
    await until(() => shown(findAll)[0] === 'Two');
    element.suggest([]);
    await until(() => !find('.suggestions'));
  });
});

describe('The links before the first message', () => {
  const links = JSON.stringify([
    { label: 'Delivery', url: 'https://shop.example/delivery', description: 'In two days' },
    { label: 'بالعربية', url: 'https://shop.example/ar' },
    { label: 'Relative', url: 'docs/returns' },
    ...Array.from({ length: 5 }, (_, index) => ({ label: `More ${index}`, url: 'https://shop.example/' })),
  ]);

  it('are shown until there is a message, six at most, and the page can handle them', async () => {
    const { element, find, findAll } = await mount([streamed(started())], { links });
    await until(() => find('.block-list a'));
    expect(findAll('.block-list li').length).to.equal(6);
    expect(findAll('.block-list a')[2]!.getAttribute('href')).to.equal(new URL('docs/returns', document.baseURI).href);
    const urls: string[] = [];
    element.addEventListener('workspace-chat-link', (event) => {
      urls.push(event.url);
      event.preventDefault();
    });
    find('.block-list a').click();
    expect(urls).to.deep.equal(['https://shop.example/delivery']);
    await element.send('Hi');
    await until(() => !find('.block-list a'));
  });

  it('that cannot be read are named in the console, and nothing is shown', async () => {
    const errors = recordErrors();
    const { element, find } = await mount([], { links: '{"label": 1}' });
    expect(find('.block-list')).to.equal(null);
    expect(errors.length).to.equal(1);
    expect(errors[0]).to.contain('“links” must be a JSON array');
    // A list of objects as the server of a framework writes it: the property follows.
    element.setAttribute('links', '[object Object],[object Object]');
    expect([element.links, errors.length]).to.deep.equal([null, 1]);
  });
});

describe('A link that the page sets', () => {
  let errors: string[];
  beforeEach(() => {
    errors = recordErrors();
  });

  it('may be relative to the page', async () => {
    const { element, find } = await mount();
    element.consent = { text: 'See our [policy].', url: '/privacy#chat', version: '1' };
    element.strings = { privacyUrl: '/privacy', privacyLabel: 'Privacy' };
    await until(() => find('.disclaimer a') && find('.consent a'));
    expect(find('.consent a').getAttribute('href')).to.equal(`${location.origin}/privacy#chat`);
    expect(find('.disclaimer a').getAttribute('href')).to.equal(`${location.origin}/privacy`);
    expect(errors).to.deep.equal([]);
  });

  const wrong: readonly unknown[] = ['javascript:alert(1)', 'https://', 'data:text/html,x', '', ' ', 5, null];

  it('is left out and named in the console once when it can be no link', async () => {
    const entries: readonly unknown[] = [...wrong.map((url) => ({ label: 'Wrong', url })), 'a text', null, {}];
    const { element, find, findAll } = await mount([], { locale: 'en' });
    element.links = [...entries, { label: 'Right', url: '/right' }] as never;
    await until(() => find('.block-list a'));
    element.locale = 'ar';
    await until(() => find('textarea').getAttribute('dir') === 'rtl');
    expect(findAll('.block-list li').map(({ textContent }) => textContent.trim())).to.deep.equal(['Right']);
    expect(errors).to.have.length(wrong.length);
    for (const [index, value] of wrong.entries())
      expect(errors[index])
        .to.match(/“links” needs a URL/)
        .and.contain(`not ${JSON.stringify(value)}.`);
  });

  for (const value of wrong.filter((url) => url !== null))
    it(`of a consent is left out and named when it is ${JSON.stringify(value)}`, async () => {
      const { element, find } = await mount([], { consent: 'true' });
      element.consent = { text: 'See our [policy].', url: value as string, version: '1' };
      await until(() => find('.consent'));
      expect(find('.consent p').textContent).to.equal('See our policy.');
      expect(find('.consent a')).to.equal(null);
      expect(errors).to.have.length(1);
      expect(errors[0]).to.contain('“consent” needs a URL');
    });
});

describe('An address that the page sets', () => {
  for (const name of ['avatar', 'transcript-url', 'history-url', 'replies-url'])
    it(`as ${name} is named in the console once when it cannot be used`, async () => {
      const errors = recordErrors();
      const { element, find } = await mount([streamed(started())], { [name]: 'ftp://shop.example/file' });
      await element.send('Hi');
      await until(() => errors.length > 0);
      element.locale = 'ar';
      await until(() => find('textarea').getAttribute('dir') === 'rtl');
      expect(errors).to.have.length(1);
      expect(errors[0]).to.contain(`“${name}” needs a URL`).and.contain('ftp://shop.example/file');
    });
});

describe('The consent before the first message', () => {
  const flag = 'workspace-chat-consent agt_1';
  const text = 'Please agree to our [privacy policy].';
  const consentTo = (version: string) => JSON.stringify({ text, url: 'https://shop.example/privacy', version });

  const clear = async () => {
    await unmountAll();
    localStorage.clear();
  };
  beforeEach(clear);
  afterEach(clear);

  const open = (consent: string, attributes: Record<string, string> = {}) =>
    mount([streamed(started())], { mode: 'floating', open: '', consent, ...attributes });

  it('is asked in place of the composer, and nothing is sent or stored before', async () => {
    const before = (await indexedDB.databases()).length;
    const { element, find, service } = await open(consentTo('1'), {
      storage: 'indexeddb',
      'agent-id': 'agt_consent',
      starters: '["Hi"]',
      greeting: 'Welcome',
    });
    const button = await until(() => find<HTMLButtonElement>('.consent button'));
    expect(find('.consent p').textContent).to.equal('Please agree to our privacy policy.');
    expect(find('.consent a').getAttribute('href')).to.equal('https://shop.example/privacy');
    expect(find('.welcome').textContent.trim()).to.equal('Welcome');
    expect([find('textarea'), find('.starters')]).to.deep.equal([null, null]);
    const sent = element.send('From the page');
    element.setDraft('Draft');
    await new Promise(requestAnimationFrame);
    expect(service.calls.length).to.equal(0);
    expect((await indexedDB.databases()).length).to.equal(before);
    expect([...Object.keys(localStorage), ...Object.keys(sessionStorage)]).to.deep.equal([]);
    const events: WorkspaceChatConsentEvent[] = [];
    element.addEventListener('workspace-chat-consent', (event) => events.push(event));
    button.click();
    expect(events.map((event) => [event.version, event.text])).to.deep.equal([['1', text]]);
    expect(Date.parse(events[0]!.at)).to.be.greaterThan(Date.now() - 60_000);
    expect((await sent)?.message?.content).to.equal('Hello there');
    await until(() => find<HTMLTextAreaElement>('textarea')?.value === 'Draft');
    expect(element.shadowRoot!.activeElement).to.equal(find('textarea'));
    expect(localStorage.getItem('workspace-chat-consent agt_consent')).to.equal('1');
    localStorage.removeItem('workspace-chat-consent agt_consent');
    await element.reset();
  });

  it('is not asked again on this site, until the version changes', async () => {
    const first = await open(consentTo('1'));
    (await until(() => first.find<HTMLButtonElement>('.consent button'))).click();
    await unmountAll();
    const second = await open(consentTo('1'));
    await until(() => second.find('textarea'));
    await unmountAll();
    const third = await open(consentTo('2'));
    await until(() => third.find('.consent button'));
  });

  it('that is given in one chat lets the messages of another one of the page through', async () => {
    const consent = consentTo('1');
    const first = await open(consent);
    const second = await open(consent);
    (await until(() => first.find<HTMLButtonElement>('.consent button'))).click();
    second.element.requestUpdate();
    await until(() => second.find('textarea'));
    expect((await second.element.send('Hi'))?.message?.content).to.equal('Hello there');
  });

  it('is awaited before anything of the teaser is stored', async () => {
    const teaser = { teaser: 'Need help?', 'teaser-when': 'visits:1', mode: 'floating', consent: consentTo('1') };
    const { element, find } = await mount([], teaser);
    (await until(() => find<HTMLButtonElement>('.teaser .dismiss'))).click();
    expect(find('.teaser')).to.equal(null);
    expect([...Object.keys(localStorage), ...Object.keys(sessionStorage)]).to.deep.equal([]);
    element.consent = true;
    await element.updateComplete;
    expect(localStorage.getItem('workspace-chat-teaser agt_1')).to.equal('1');
    localStorage.clear();
  });

  it('that the site asks for itself opens the chat when it is given, and closes it when it is withdrawn', async () => {
    const { element, find } = await open('false');
    await until(() => find('.consent'));
    expect(find('.consent').textContent).to.contain('privacy settings of this site');
    expect(find('.consent button')).to.equal(null);
    element.consent = true;
    await until(() => find('textarea'));
    expect((await element.send('Hi'))?.message?.content).to.equal('Hello there');
    element.consent = false;
    await until(() => find('.consent') && !find('.message.visitor'));
    expect(localStorage.getItem(flag)).to.equal(null);
  });

  it('that cannot be read is named in the console, and lets nothing through', async () => {
    const errors = recordErrors();
    const { element, find } = await open('Please agree');
    await until(() => find('.consent'));
    expect(find('textarea')).to.equal(null);
    expect(errors.length).to.equal(1);
    expect(errors[0]).to.contain('“consent” must be JSON');
    element.setAttribute('consent', '[object Object]');
    expect([element.consent, errors.length]).to.deep.equal([false, 1]);
  });

  it('keeps log-out and erasing possible before', async () => {
    const { element, find } = await open(consentTo('1'));
    await until(() => find('.consent'));
    await element.logout();
    await element.reset();
    expect(find('.consent button')).to.not.equal(null);
    localStorage.clear();
  });
});
