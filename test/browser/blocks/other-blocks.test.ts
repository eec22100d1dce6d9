import { expect } from '@open-wc/testing';
import { mount, recordErrors, until } from '../../support/pages/element.ts';
import { lastSent, show } from './answered.ts';

describe('A status card', () => {
  it('shows its tone, rows, age and link', async () => {
    const updated = new Date(Date.now() - 7_300_000).toISOString();
    const { find, findAll } = await show([
      {
        type: 'status_card',
        title: 'Order 1042',
        status: 'On its way',
        tone: 'success',
        rows: [{ label: 'Carrier', value: 'Oman Post' }],
        updated_at: updated,
        url: 'https://shop.example/1042',
      },
    ]);
    expect(find('[part~=card]').getAttribute('aria-labelledby')).to.equal(find('.block-title').id);
    expect(find('.tone-success').textContent).to.equal('On its way');
    expect(findAll('dt, dd').map(({ textContent }) => textContent)).to.deep.equal(['Carrier', 'Oman Post']);
    const time = find<HTMLTimeElement>('time');
    expect(time.textContent).to.equal('Updated 2 hours ago');
    expect(time.dateTime).to.equal(updated);
    expect(time.title).to.contain(String(new Date(updated).getFullYear()));
    expect(find<HTMLAnchorElement>('[part=link]').href).to.equal('https://shop.example/1042');
  });

  it('breaks no label on a small phone', async () => {
    const rows = [{ label: 'Expected', value: 'next Thursday' }];
    const { element, findAll } = await show([{ type: 'status_card', title: 'Order 1042', status: 'Sent', rows }]);
    for (const width of [320, 336, 352, 375]) {
      element.parentElement!.style.inlineSize = `${width}px`;
      await until(() => element.clientWidth === width);
      const range = document.createRange();
      range.selectNodeContents(findAll('dt')[0]!);
      expect(new Set([...range.getClientRects()].map(({ top }) => top)).size, `${width}`).to.equal(1);
    }
  });

  it('accepts an unknown tone and an unsafe URL', async () => {
    const { find } = await show([
      { type: 'status_card', title: 'x', status: 'y', tone: 'evil x', url: 'javascript:alert(1)' },
    ]);
    expect(find('.block .chip').className).to.equal('chip tone-info');
    expect(find('.block a')).to.equal(null);
  });

  it('shows no time for a text that is not in ISO 8601, also when the browser can parse it', async () => {
    const texts = ['soon', 'order/1', 'https://a.example/1', '2026-13-45T00:00:00Z', '12/24/2026', 1_000];
    const { findAll } = await show(
      texts.map((updated_at) => ({ type: 'status_card', title: 'x', status: 'y', updated_at })),
    );
    expect(findAll('.block .chip').length).to.equal(texts.length);
    expect(findAll('time').length).to.equal(0);
  });
});

it('A links block links only safe URLs, and shows the others as text', async () => {
  const { find, findAll, element } = await show([
    {
      type: 'links',
      links: [
        { label: 'Visit', url: 'https://shop.example/visit', description: 'The way' },
        { label: 'Bad', url: 'javascript:alert(1)' },
        { label: 'User', url: 'https://shop.example@evil.example' },
      ],
    },
  ]);
  expect(findAll('.block-list li').length).to.equal(3);
  expect(findAll<HTMLAnchorElement>('.block a').map(({ href }) => href)).to.deep.equal(['https://shop.example/visit']);
  const link = find<HTMLAnchorElement>('.block a');
  expect(link.rel).to.contain('noopener');
  const opened: string[] = [];
  element.addEventListener('workspace-chat-link', (event) => {
    opened.push(event.url);
    event.preventDefault();
  });
  const click = new MouseEvent('click', { bubbles: true, cancelable: true });
  link.dispatchEvent(click);
  expect(opened).to.deep.equal(['https://shop.example/visit']);
  expect(click.defaultPrevented).to.equal(true);
});

it('A product has its button below its description, and does not touch it', async () => {
  const items = [{ id: 'p', name: 'Mug', description: 'A hand-made mug', price: 3, currency: 'OMR' }];
  const { find } = await show([{ type: 'products', items }]);
  const description = find('.about > small').getBoundingClientRect();
  expect(find('.line .button').getBoundingClientRect().top - description.bottom).to.be.at.least(3);
});

describe('In a panel of the other direction', () => {
  const edges = (element: Element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  };

  it('the two texts of a link, a product and an option stand at the same edge', async () => {
    const two = { label: 'Delivery', description: 'How and when' };
    const { findAll } = await show(
      [
        { type: 'links', links: [{ ...two, url: 'https://shop.example/delivery' }] },
        { type: 'products', items: [{ name: 'Vase', description: 'How and when' }] },
        { type: 'options', options: [{ ...two, value: 'a' }] },
      ],
      { locale: 'ar' },
    );
    const pairs = [
      ['.link', '.link + small'],
      ['.product .link', '.product .about > small'],
      ['.option > span', '.option > small'],
    ] as const;
    for (const [first, second] of pairs) {
      const [label, description] = [edges(findAll(first)[0]!), edges(findAll(second)[0]!)];
      expect(Math.abs(label.right - description.right), second).to.be.below(1.5);
      expect(label.bottom, second).to.be.at.most(description.top + 4);
    }
  });

  it('the arrow of a starter points in the direction of its text', async () => {
    const starters = JSON.stringify(['Opening hours', 'أوقات العمل']);
    for (const locale of ['ar', 'en']) {
      const { findAll } = await mount([], { starters, locale });
      await until(() => findAll('.starter').length === 2);
      const mirrored = findAll('.starter svg').map((arrow) => new DOMMatrix(getComputedStyle(arrow).transform).a);
      expect(mirrored, locale).to.deep.equal([1, -1]);
      const send = findAll('.send svg').map((arrow) => new DOMMatrix(getComputedStyle(arrow).transform).a);
      expect(send, locale).to.deep.equal([locale === 'ar' ? -1 : 1]);
    }
  });
});

it('A deceptive link shows its real host, in blocks and in replies, without overrides of the writing direction', async () => {
  const links = [
    { label: '\u202emoc.knab', url: 'https://evil.example/x' },
    { label: '\u200b', url: 'https://evil.example/y' },
    { label: 'Visit', url: 'https://evil.example/z' },
  ];
  const { findAll, element } = await show([{ type: 'links', links }]);
  // Firefox computes no `attr()`, and WebKit joins no strings.
  const addition = (link: HTMLAnchorElement) =>
    getComputedStyle(link, '::after')
      .content.replace('attr(data-host)', `"${link.dataset['host']}"`)
      .replaceAll('" "', '');
  const shown = () => findAll<HTMLAnchorElement>('.block a').map((link) => `${link.textContent} ${addition(link)}`);
  const [first, , last] = shown();
  expect(first).to.equal('moc.knab " (evil.example)"');
  expect(last).to.equal('Visit none');
  expect(getComputedStyle(findAll('.block a')[0]!).unicodeBidi).to.equal('isolate');
  element.linkHosts = 'shop.example';
  await element.updateComplete;
  await until(() => shown()[2] === 'Visit " (evil.example)"');
});

it('A block of an unknown type shows its text and safe links, and nothing when it has no text', async () => {
  const { findAll } = await show([
    {
      type: 'carousel',
      title: '<img src=x onerror=alert(1)>',
      items: [
        { text: 'One', url: 'https://a.example/' },
        { text: 'Two', url: 'data:text/html,x' },
      ],
    },
    { type: 'form', title: 'No fields', fields: [] },
    { type: 'spacer', height: 4 },
  ]);
  expect(findAll('.block').length).to.equal(2);
  expect(findAll('.block p').map(({ textContent }) => textContent)).to.deep.equal([
    '<img src=x onerror=alert(1)>',
    'One',
    'Two',
    'No fields',
  ]);
  expect(findAll<HTMLAnchorElement>('.block a').map(({ href }) => href)).to.deep.equal(['https://a.example/']);
  expect(findAll('.block img').length).to.equal(0);
});

describe('A block renderer that the page has registered', () => {
  const kiln = { type: 'kiln', degrees: 980, text: 'The kiln' };

  it('renders its block type once, and can submit it', async () => {
    let draws = 0;
    const shown = await show([kiln], {}, (element) => {
      element.registerBlock('kiln', (block, { send, language }) => {
        draws++;
        const button = document.createElement('button');
        button.className = 'own';
        button.textContent = `${language} ${(block as typeof kiln).degrees}`;
        button.addEventListener('click', () => send(' Hotter! '));
        return button;
      });
    });
    const { find, element, service } = shown;
    const own = find('.block .own');
    expect(own.textContent).to.equal('en 980');
    element.heading = 'Another';
    await element.updateComplete;
    expect(find('.own')).to.equal(own);
    expect(draws).to.equal(1);
    own.click();
    await until(() => service.calls.length === 2);
    expect(lastSent(shown)).to.equal('Hotter!');
    await until(() => draws === 2);
  });

  it('may return a form whose fields have the names of members of a node', async () => {
    const names = ['remove', 'nextSibling', 'parentNode', 'insertBefore', 'appendChild', 'submit', 'elements', 'id'];
    const { find, findAll, element } = await show([kiln]);
    const unregister = element.registerBlock('kiln', () => {
      const own = document.createElement('form');
      own.className = 'own';
      for (const name of names) own.append(Object.assign(document.createElement('input'), { name }));
      return own;
    });
    await until(() => findAll('.own input').length === names.length);
    const first = find('.own');
    element.locale = 'ar';
    await until(() => findAll('.own').length === 1 && find('.own') !== first);
    unregister();
    await until(() => findAll('.own').length === 0);
    expect(find('.block').textContent).to.contain('The kiln');
  });

  it('may return a form that the browser submits', async () => {
    let submitter: HTMLElement | null = null;
    const { find } = await show([kiln], {}, (element) => {
      element.registerBlock('kiln', () => {
        const own = document.createElement('form');
        own.className = 'own';
        own.innerHTML = '<button class="go">Go</button>';
        own.addEventListener('submit', (event) => {
          event.preventDefault();
          ({ submitter } = event);
        });
        return own;
      });
    });
    find('.go').click();
    expect(submitter).to.equal(find('.go'));
  });

  it('replaces the renderer of a known type, until it is unregistered', async () => {
    const { find, findAll, element } = await show([{ type: 'options', options: [{ label: 'A' }] }]);
    const unregister = element.registerBlock('options', ({ type }) => `Mine: ${String(type)}`);
    await until(() => find('.block').textContent.includes('Mine: options'));
    unregister();
    await until(() => findAll('[part=option]').length === 1);
  });

  it('is ignored when it throws or returns no content', async () => {
    const errors = recordErrors();
    const { find } = await show([kiln, { type: 'options', options: [{ label: 'A' }] }], {}, (element) => {
      element.registerBlock('kiln', () => {
        throw new Error('No');
      });
      element.registerBlock('options', () => ({ toString: () => 'x' }) as never);
    });
    expect(find('.block').textContent).to.contain('The kiln');
    expect(find('[part=option]').textContent).to.contain('A');
    expect(errors.length).to.equal(1);
  });
});
