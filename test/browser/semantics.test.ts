import { expect } from '@open-wc/testing';
import { mount, until } from '../support/pages/element.ts';
import { replyWith } from '../support/fakes/fake-service.ts';

const blocks = [
  { type: 'products', items: [{ name: 'Vase' }, { name: 'مزهرية' }] },
  { type: 'links', links: [{ label: 'Visit', url: 'https://a.example' }] },
  { type: 'options', options: [{ label: 'Hours' }, { label: 'الحصص' }] },
  {
    type: 'form',
    fields: [
      { key: 'k', kind: 'select', label_en: 'Kind', label_ar: 'النوع', options: ['Cup', 'كوب'], required: true },
    ],
  },
];

const converse = async (attributes: Record<string, string> = {}) => {
  const chat = await mount([replyWith('Have a look', { blocks })], attributes);
  await chat.element.send('Hi');
  await until(() => chat.findAll('.product').length === 2 && chat.find('[part=option]:not(:disabled)'));
  return chat;
};

describe('The meaning of the chat for assistive technology', () => {
  it('is an article with the author and the time for each message', async () => {
    const { findAll } = await converse();
    const articles = findAll('workspace-chat-message[role=article]');
    expect(articles).to.have.length(2);
    expect(articles[0]!.ariaLabel).to.match(/^You, \d/);
    expect(articles[1]!.ariaLabel).to.match(/^Assistant, \d/);
  });

  it('has the Arabic comma in Arabic', async () => {
    const { find } = await converse({ locale: 'ar' });
    expect(find('workspace-chat-message').ariaLabel).to.match(/^أنت، /);
  });

  it('has a name for each group of products and links', async () => {
    const { findAll } = await converse();
    const names = findAll('[role=group]').map((group) => group.ariaLabel ?? group.getAttribute('aria-labelledby'));
    expect(names.slice(0, 2)).to.deep.equal(['2 products', '1 link']);
  });

  for (const [locale, expected] of [
    ['en', ['ar', 'ar', 'ar']],
    ['ar', ['en', 'en', 'en']],
  ] as const)
    it(`has the language of choices, products and options in another script (${locale})`, async () => {
      const { findAll } = await converse({ locale });
      const marked = ['.product strong [lang]', '.option [lang]', 'option[lang]'].map((selector) =>
        findAll(selector).map((each) => each.getAttribute('lang')),
      );
      expect(marked).to.deep.equal(expected.map((language) => [language]));
    });

  it('is a dialog that is modal only where it is', async () => {
    const { find } = await mount([], { mode: 'floating', open: '' });
    const dialog = await until(() => find('dialog:popover-open'));
    expect(dialog.ariaModal).to.equal('false');
  });

  it('has no title that repeats the name of its control, which screen readers would read twice', async () => {
    const { find, findAll } = await converse({ feedback: '' });
    await until(() => find('workspace-chat-feedback button'));
    const titled = findAll('[title]');
    const titles = titled.map(({ title }) => title);
    expect(titles).to.deep.equal(['Menu', 'Copy', 'Helpful', 'Not helpful']);
    expect(titled.filter(({ title, ariaLabel }) => title === ariaLabel)).to.deep.equal([]);
  });

  it('moves the focus to the composer after “New conversation”', async () => {
    const { element, find, findAll } = await converse();
    find('[aria-haspopup=menu]').click();
    const item = await until(() => findAll('[role=menuitem]').find((each) => /New/.test(each.textContent)));
    item.click();
    await until(() => element.shadowRoot!.activeElement?.localName === 'textarea');
  });
});
