import { expect } from '@open-wc/testing';
import { mount, recordErrors, until } from '../support/pages/element.ts';

/** The properties that hold a text, and what a page may pass by mistake, such as the texts of all languages. */
const texts = { en: 'Ask', ar: 'اسأل' };

describe('A property with a value of another type', () => {
  for (const name of ['heading', 'greeting', 'avatar', 'locale', 'launcherLabel', 'shortcut', 'teaser', 'expand'])
    for (const value of [texts, true, ['Ask']])
      it(`“${name}” = ${JSON.stringify(value)} is reported, and the chat has the default`, async () => {
        const errors = recordErrors();
        const { element, find } = await mount([], {}, (created) => Object.assign(created, { [name]: value }));
        expect(element[name as 'heading']).to.equal(null);
        expect(find('.panel')).not.to.equal(null);
        expect(errors.filter((message) => message.includes(`“${name}” must be a text`)).length).to.equal(1);
      });

  for (const [name, value] of Object.entries({ starters: [texts], links: texts, strings: true, teamHours: true }))
    it(`“${name}” = ${JSON.stringify(value)} is reported, and the chat has none`, async () => {
      const errors = recordErrors();
      const { element } = await mount([], {}, (created) => Object.assign(created, { [name]: value }));
      expect(element[name as 'starters']).to.equal(null);
      expect(errors.length).to.equal(1);
    });

  for (const consent of [{}, { text: texts, version: '1' }])
    it(`“consent” = ${JSON.stringify(consent)} is reported, and nothing is sent`, async () => {
      const errors = recordErrors();
      const { element } = await mount([], { mode: 'floating' }, (created) => Object.assign(created, { consent }));
      expect(element.consent).to.equal(false);
      expect(errors.filter((message) => message.includes('“consent” must be')).length).to.equal(1);
    });

  for (const text of [undefined, null])
    it(`a consent with a version and the text ${text} waits for the dialog of the site, as one without a text`, async () => {
      const errors = recordErrors();
      const consent = { text, version: '1' };
      const { element } = await mount([], { mode: 'floating' }, (created) => Object.assign(created, { consent }));
      expect(element.consent).to.equal(consent);
      expect(errors).to.deep.equal([]);
    });

  it('“mode” = {} is reported, and the chat floats, with a button that closes it', async () => {
    const errors = recordErrors();
    const { element, find } = await mount([], { mode: 'floating' }, (created) => Object.assign(created, { mode: {} }));
    element.show();
    expect(await until(() => find('.header > button'))).not.to.equal(null);
    expect(errors.filter((message) => message.includes('“mode” must be a text')).length).to.equal(1);
  });
});

describe('A method with a value of another type', () => {
  it('setDraft() with a number sets its digits', async () => {
    const { element, find } = await mount();
    element.setDraft(1001 as never);
    await until(() => find<HTMLTextAreaElement>('textarea').value === '1001');
  });

  // A teaser is shown once in a visit.
  const agent = () => ({ mode: 'floating', 'agent-id': `agt_${crypto.randomUUID()}` });

  for (const starters of [null, 'Yes', [1, 'Yes']])
    it(`showTeaser() with ${JSON.stringify(starters)} as its starters shows those that are texts, and the chat opens`, async () => {
      const { element, find, findAll } = await mount([], agent());
      element.showTeaser('Need help?', { starters: starters as never });
      await until(() => find('.teaser'));
      expect(findAll('.teaser .starters button').length).to.equal(Array.isArray(starters) ? 1 : 0);
      element.show();
      await until(() => find('.panel')?.matches(':popover-open'));
    });

  it('showTeaser() with a value that is no text is reported, and the chat opens', async () => {
    const errors = recordErrors();
    const { element, find } = await mount([], agent());
    element.showTeaser(texts as never);
    await until(() => errors.some((message) => message.includes('showTeaser() needs a text')));
    element.show();
    await until(() => find('.panel')?.matches(':popover-open'));
    expect(find('.teaser')).to.equal(null);
  });
});
