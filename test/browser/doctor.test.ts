import { expect } from '@open-wc/testing';
import { strings } from '../../src/locale/en.ts';
import { choices, readInvalidAttributes } from '../../src/products/doctor/attributes.ts';
import { runDoctor } from '../../src/products/doctor/doctor.ts';
import { readMissingLanguage } from '../../src/products/doctor/languages.ts';
import { readInvalidProperties } from '../../src/products/doctor/theme.ts';
import { mount } from '../support/pages/element.ts';

describe('The doctor', () => {
  afterEach(() => document.documentElement.removeAttribute('lang'));

  it('names the properties whose value is not valid, and no others', async () => {
    const { element } = await mount();
    const set = (values: Record<string, string>) => {
      element.removeAttribute('style');
      for (const [name, value] of Object.entries(values)) element.style.setProperty(`--workspace-chat-${name}`, value);
      return readInvalidProperties([element]);
    };
    expect(set({})).to.deep.equal([]);
    element.style.setProperty('--brand', 'oklch(60% 0.2 20)');
    const valid = {
      accent: 'light-dark(#f00, var(--brand, red))',
      surface: 'Canvas',
      header: 'linear-gradient(red, blue)',
      'on-header': '#fff',
      font: '"Inter", system-ui, sans-serif',
      'font-size': 'large',
      radius: '0',
      'launcher-radius': '50%',
      'offset-x': 'clamp(1em, 5vw, 3rem)',
      'offset-y': 'calc(1em + env(safe-area-inset-bottom, 0px))',
      width: 'min(30em, 90vw)',
      'launcher-size': '0',
      motion: '0.5',
      shadow: 'none',
      'z-index': '10',
    };
    expect(set(valid)).to.deep.equal([]);
    const invalid = {
      accent: 'linear-gradient(red, blue)',
      text: 'ff0000',
      'offset-x': '12',
      'offset-y': '20',
      height: 'auto',
      shadow: 'yes',
    };
    expect(set({ ...valid, ...invalid })).to.have.members(
      Object.entries(invalid).map(([name, value]) => `--workspace-chat-${name}: ${value}`),
    );
  });

  it('names the attributes that have no effect, with the name that was probably meant', async () => {
    const { element } = await mount();
    const attributes = {
      mode: 'popup',
      headings: 'Hi',
      'hide-launcher': 'no',
      'teaser-delay': '1s',
      rating: '',
      feedback: 'false',
      speech: 'yes',
    };
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.className = 'wide';
    const options = {
      onlyOn: '/shop/*',
      delay: '2s',
      colorSheme: 'dark',
      cfasync: 'false',
      strings: {},
      open: 'false',
      modal: 'x',
    };
    expect(readInvalidAttributes(options, [element])).to.have.members([
      'mode="popup"',
      'headings (heading?)',
      'hide-launcher="no"',
      'feedback="false"',
      'teaser-delay="1s"',
      'delay="2s"',
      'color-sheme (color-scheme?)',
    ]);
  });

  it('names no attribute of an element whose attributes all have a value that they can have', async () => {
    const { element } = await mount();
    for (const [name, values] of Object.entries(choices))
      for (const value of values.split(' ')) {
        element.setAttribute(name, value);
        expect(readInvalidAttributes(element, [element])).to.deep.equal([]);
      }
  });

  it('names the language of the chat that has no texts, of the page or of the chat itself', () => {
    expect(readMissingLanguage('nb')).to.equal('nb');
    expect(readMissingLanguage('ar-OM')).to.equal(null);
    document.documentElement.lang = 'nb';
    expect(readMissingLanguage(null)).to.equal('nb');
    expect(readMissingLanguage('en-GB')).to.equal(null);
  });

  it('names no language that is missing on a page without a chat, which loads its texts later', async () => {
    document.documentElement.lang = 'de';
    const { findings } = await runDoctor({}, async () => strings);
    expect(findings.map(({ code }) => code)).to.include('base_url_missing');
    expect(findings.map(({ code }) => code)).not.to.include('language_missing');
    const { element } = await mount();
    const ofChat = await runDoctor({ locale: 'nb' }, async () => strings);
    expect(ofChat.findings.map(({ code }) => code)).to.include('language_missing');
    element.remove();
  });
});
