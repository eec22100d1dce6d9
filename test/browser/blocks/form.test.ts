import { expect } from '@open-wc/testing';
import { type, unmountAll, until, type Mounted } from '../../support/pages/element.ts';
import { lastSent, lastShown, show } from './answered.ts';

const field = (key: string, label_en: string, label_ar: string, kind: string, more: object = {}) => ({
  key,
  label_en,
  label_ar,
  kind,
  options: [],
  required: true,
  ...more,
});

const form = {
  type: 'form',
  title: { en: 'Your order', ar: 'طلبك' },
  submit_label: { en: 'Send the order', ar: 'إرسال الطلب' },
  fields: [
    field('name', 'Name', 'الاسم', 'text'),
    field('email', 'E-mail', 'البريد', 'email'),
    field('phone', 'Phone', 'الهاتف', 'phone', { required: false }),
    field('count', 'How many', '', 'number'),
    field('until', 'Needed by', 'قبل', 'date', { required: false }),
    field('size', 'Size', 'المقاس', 'select', { options: ['S', 'L'] }),
    field('glaze', 'Glaze', 'اللون', 'color', { required: false, placeholder: { en: 'Blue?', ar: 'أزرق؟' } }),
  ],
};

const input = ({ findAll }: Mounted, name: string) =>
  findAll<HTMLInputElement>('.block [part=field]')[form.fields.findIndex(({ key }) => key === name)]!;

const submit = async (shown: Mounted) => {
  shown.find('.block button').click();
  await shown.find<HTMLElement & { updateComplete: Promise<unknown> }>('workspace-chat-form').updateComplete;
};

/** A control with such a name in a form hides the member of the form. */
const domMembers = 'remove insertBefore nextSibling appendChild parentNode submit elements id'.split(' ');

const problems = ({ findAll }: Mounted) => findAll('.field-problem').map(({ textContent }) => textContent);

const fill = (shown: Mounted, values: Record<string, string>) => {
  for (const [name, value] of Object.entries(values)) type(input(shown, name), value);
};

const values = { name: 'Salim', email: 'salim@example.com', count: '3', size: 'L' };

describe('A form block', () => {
  it('has the right input for each kind of field, named by its label', async () => {
    const shown = await show([form]);
    const { findAll, find } = shown;
    const names = ['name', 'email', 'phone', 'count', 'until', 'size', 'glaze'];
    const fields = names.map((name) => input(shown, name));
    expect(fields.map((each) => each.type)).to.deep.equal([
      'text',
      'email',
      'tel',
      'text',
      'date',
      'select-one',
      'text',
    ]);
    expect(['name', 'email', 'phone'].map((name) => input(shown, name).autocomplete)).to.deep.equal([
      'name',
      'email',
      'tel',
    ]);
    expect(fields.map(({ labels }) => labels![0]!.textContent.replace(/\s+/g, ' ').trim())).to.deep.equal([
      'Name',
      'E-mail',
      'Phone (optional)',
      'How many',
      'Needed by (optional)',
      'Size',
      'Glaze (optional)',
    ]);
    expect(input(shown, 'glaze').placeholder).to.equal('Blue?');
    expect(fields.map(({ required }) => required)).to.deep.equal([true, true, false, true, false, true, false]);
    expect(findAll('[part=field]').length).to.equal(7);
    expect(find('.block button').textContent.trim()).to.equal('Send the order');
    const style = getComputedStyle(input(shown, 'name'));
    expect(parseFloat(style.fontSize)).to.be.at.least(16);
  });

  it('is shown in Arabic, with English for missing labels and numbers from left to right', async () => {
    const shown = await show([form], { locale: 'ar' });
    const label = (name: string) => input(shown, name).labels![0]!.textContent;
    expect(label('name')).to.contain('الاسم');
    expect(label('phone')).to.contain('الهاتف').and.to.contain('اختياري');
    expect(label('count')).to.contain('How many');
    for (const name of ['email', 'phone', 'count', 'until']) {
      const { direction, textAlign } = getComputedStyle(input(shown, name));
      expect([name, direction, textAlign]).to.deep.equal([name, 'ltr', 'end']);
    }
    expect(getComputedStyle(input(shown, 'name')).direction).to.equal('rtl');
    await submit(shown);
    expect(problems(shown)[0]).to.equal('يُرجى تعبئة هذا الحقل.');
  });

  it('shows problems at their fields, focuses the first one, and removes each as soon as it is fixed', async () => {
    const shown = await show([form]);
    const { element, find, service } = shown;
    fill(shown, { email: 'salim@', phone: 'call me', count: 'five' });
    await submit(shown);
    expect(service.calls.length).to.equal(1);
    expect(problems(shown)).to.deep.equal([
      'Please fill in this field.',
      'Please enter an e-mail address, such as name@example.com.',
      'Please enter a phone number, such as +968 9212 3456.',
      'Please enter a number.',
      'Please fill in this field.',
    ]);
    const name = input(shown, 'name');
    expect(element.shadowRoot!.activeElement).to.equal(name);
    expect(name.getAttribute('aria-invalid')).to.equal('true');
    const id = name.getAttribute('aria-describedby')!;
    expect(element.shadowRoot!.getElementById(id)!.textContent).to.equal('Please fill in this field.');
    expect(input(shown, 'until').getAttribute('aria-invalid')).to.equal('false');
    fill(shown, values);
    await until(() => problems(shown).length === 1);
    type(input(shown, 'phone'), '٩٢١٢٣٤٥٦');
    await until(() => problems(shown).length === 0);
    expect(find('form').matches(':invalid')).to.equal(false);
  });

  it('keeps a value that a password manager fills in with nothing but a change event', async () => {
    const shown = await show([form]);
    const name = input(shown, 'name');
    name.value = 'Salim';
    name.dispatchEvent(new Event('change', { bubbles: true }));
    type(input(shown, 'email'), 'salim@');
    await submit(shown);
    await until(() => problems(shown).length > 0);
    expect(name.value).to.equal('Salim');
  });

  it('sends what was typed: with invisible characters removed, and numbers as the language writes them', async () => {
    const shown = await show([form], { locale: 'ar' });
    expect(input(shown, 'count').inputMode).to.equal('decimal');
    fill(shown, { ...values, name: '\ufeff\u202bSalim\u202c', count: '\u200f١٫٥\u00a0' });
    await submit(shown);
    await until(() => shown.service.calls.length === 2 && !shown.element.busy);
    expect(lastSent(shown)).to.equal('الاسم: Salim\nالبريد: salim@example.com\nHow many: 1.5\nالمقاس: L');
  });

  it('is submitted once as lines, shows the submission, and fires the form event', async () => {
    const shown = await show([form]);
    const { element, find, findAll, service } = shown;
    const heard: unknown[] = [];
    element.addEventListener('workspace-chat-form', ({ block, data }) => heard.push([block.type, data]));
    fill(shown, { ...values, until: '2026-04-01', phone: ' ٩٢١٢ ٣٤٥٦ ' });
    await submit(shown);
    await until(() => service.calls.length === 2 && !element.busy);
    expect(lastSent(shown)).to.equal(
      'Name: Salim\nE-mail: salim@example.com\nPhone: 9212 3456\nHow many: 3\nNeeded by: 2026-04-01\nSize: L',
    );
    expect(heard).to.deep.equal([['form', { ...values, until: '2026-04-01', phone: '9212 3456', glaze: '' }]]);
    await until(() => !find('.block form'));
    expect(findAll('.block dd').map(({ textContent }) => textContent)).to.deep.equal([
      'Salim',
      'salim@example.com',
      '9212 3456',
      '3',
      'April 1, 2026',
      'L',
    ]);
    expect(lastShown(shown)).to.contain('Needed by: April 1, 2026\n');
    await until(() => element.shadowRoot!.activeElement === find('textarea'));
    expect(service.calls.length).to.equal(2);
  });

  it('cannot be submitted empty, even without required fields', async () => {
    const fields = form.fields.map((each) => ({ ...each, required: false }));
    const shown = await show([{ ...form, fields }]);
    await submit(shown);
    expect(problems(shown)).to.deep.equal(['Please fill in this field.']);
    expect(shown.service.calls.length).to.equal(1);
  });

  it('accepts keys and kinds that are names of inherited members, and a key that occurs twice', async () => {
    const keys = ['constructor', '__proto__', 'toString', 'length', ...domMembers, 'same', 'same'];
    const fields = keys.map((key) => field(key, `My ${key}`, '', 'constructor'));
    const shown = await show([{ ...form, fields }]);
    const { findAll, service } = shown;
    const inputs = findAll<HTMLInputElement>('.block input');
    expect(inputs.map(({ labels, value }) => [labels![0]!.textContent.trim(), value])).to.deep.equal(
      keys.slice(0, -1).map((key) => [`My ${key}`, '']),
    );
    await submit(shown);
    expect(problems(shown).length).to.equal(inputs.length);
    shown.element.locale = 'ar';
    await until(() => shown.find('.block-title').textContent === 'طلبك');
    shown.element.locale = 'en';
    await until(() => shown.find('.block-title').textContent === 'Your order');
    inputs.forEach((each, index) => type(each, `v${index}`));
    await submit(shown);
    await until(() => service.calls.length === 2);
    expect(lastSent(shown)).to.equal(
      keys
        .slice(0, -1)
        .map((key, index) => `My ${key}: v${index}`)
        .join('\n'),
    );
  });

  it('never asks for a password or a payment card', async () => {
    const secrets = [field('pw', 'Password', 'كلمة المرور', 'password'), field('card_number', 'Card', 'بطاقة', 'text')];
    const shown = await show([{ ...form, fields: [form.fields[0]!, ...secrets] }]);
    expect(shown.findAll('.block input').length).to.equal(1);
    expect(shown.find('.block').textContent).to.contain('Left out: Password, Card.');
    await unmountAll();
    const none = await show([{ ...form, fields: secrets }]);
    expect(none.findAll('.block input, .block button').length).to.equal(0);
  });
});

describe('The draft of a form', () => {
  let agents = 0;
  /** A conversation of its own, without data of other tests. */
  const durable = () => ({ storage: 'indexeddb', 'agent-id': `agt_form_${++agents}` });

  const kept = () => Object.keys(sessionStorage).filter((name) => name.startsWith('workspace-chat-drafts'));

  it('is stored for the tab only, until the form is submitted', async () => {
    const shown = await show([form], durable());
    fill(shown, values);
    expect(kept().length).to.equal(1);
    expect(sessionStorage.getItem(kept()[0]!)).to.contain('salim@example.com');
    await submit(shown);
    await until(() => shown.service.calls.length === 2);
    expect(kept()).to.deep.equal([]);
  });

  it('is deleted by reset, and by logout of an identified visitor', async () => {
    for (const method of ['reset', 'logout'] as const) {
      const shown = await show([form], durable());
      shown.element.identify({ user_id: 'amal', user_hash: 'hash' });
      fill(shown, values);
      expect(kept().length).to.equal(1);
      await shown.element[method]();
      expect(kept()).to.deep.equal([]);
      await unmountAll();
    }
  });

  it('is not stored when the page has disabled storage', async () => {
    const shown = await show([form], { storage: 'memory' });
    fill(shown, values);
    expect(kept()).to.deep.equal([]);
  });
});
