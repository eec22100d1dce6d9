import { expect } from '@open-wc/testing';
import { LitElement } from 'lit';
import { until } from '../support/pages/element.ts';
import { show } from './blocks/answered.ts';

/** Returns the elements of the panel and of its parts, one for each tag. */
const ownElements = (root: ShadowRoot): LitElement[] => {
  const found = [...root.querySelectorAll('*')].filter((element) => element instanceof LitElement);
  return [...new Map(found.map((element) => [element.localName, element])).values()];
};

/** Puts an element that is not defined yet beside `original`, with its properties, and then defines it with the same class. */
const defineLate = async (original: LitElement): Promise<LitElement> => {
  const tag = `late-${original.localName}`;
  const late = document.createElement(tag) as LitElement;
  const source = original.constructor as typeof LitElement;
  for (const [name, { attribute, state }] of source.elementProperties)
    if (attribute === false && !state) Object.assign(late, { [name]: original[name as keyof LitElement] });
  original.after(late);
  customElements.define(tag, class extends source {});
  await late.updateComplete;
  return late;
};

it('An element whose code is loaded after its markup is in the page renders like one that was defined before', async () => {
  const form = {
    type: 'form',
    title: { en: 'Order', ar: 'طلب' },
    submit_label: { en: 'Send', ar: 'إرسال' },
    fields: [{ key: 'name', label_en: 'Name', label_ar: 'الاسم', kind: 'text', options: [], required: true }],
  };
  const times = { type: 'open_times', title: 'A class', timezone: '', times: [{ start: '2030-01-07T09:00:00Z' }] };
  const { element } = await show([form, times, { type: 'later' }], { feedback: '' });
  await until(() => element.shadowRoot!.querySelectorAll(':not(:defined)').length === 0);

  const originals = ownElements(element.shadowRoot!);
  const tags = originals.map(({ localName }) => localName.slice('workspace-chat-'.length));
  expect(tags).to.include.members(['message', 'blocks', 'form', 'open-times', 'unknown-block', 'feedback', 'banner']);
  for (const original of originals) {
    const late = await defineLate(original);
    expect(late.childElementCount > 0, original.localName).to.equal(original.childElementCount > 0);
    late.remove();
  }
});
