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

  it('a consent without a text and a version is reported, and nothing is sent', async () => {
    const errors = recordErrors();
    const { element } = await mount([], { mode: 'floating' }, (created) => Object.assign(created, { consent: {} }));
    expect(element.consent).to.equal(false);
    expect(errors.filter((message) => message.includes('“consent” must be')).length).to.equal(1);
  });

  it('“mode” = {} is reported, and the chat floats, with a button that closes it', async () => {
    const errors = recordErrors();
    const { element, find } = await mount([], { mode: 'floating' }, (created) => Object.assign(created, { mode: {} }));
    element.show();
    expect(await until(() => find('.header > button'))).not.to.equal(null);
    expect(errors.filter((message) => message.includes('“mode” must be a text')).length).to.equal(1);
  });
});
