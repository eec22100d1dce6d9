import { expect } from '@open-wc/testing';
import { mount, until } from '../../support/pages/element.ts';
import { openStream, replyWith } from '../../support/fakes/fake-service.ts';
import { lastSent, lastShown, show } from './answered.ts';

const options = {
  type: 'options',
  prompt: 'Which one?',
  options: [
    { label: { en: 'Hours', ar: 'الأوقات' }, value: 'When are you open?' },
    { label: { en: 'Classes', ar: 'الحصص' }, description: 'On the wheel' },
  ],
};

const products = {
  type: 'products',
  items: [
    {
      id: 'prd_1',
      name: 'Mug',
      price: 7,
      currency: 'OMR',
      availability: 'in_stock',
      url: 'https://shop.example/mug',
      image_url: 'https://images.example/mug.jpg',
    },
    { id: 'prd_2', name: 'Bowl', price: 3, currency: 'NOPE!', availability: 'out_of_stock' },
    { id: 'prd_3', name: 'Vase', availability: 'made_to_order', url: 'javascript:alert(1)' },
  ],
};

describe('An options block', () => {
  it('sends the value or the label once, and then shows the choice', async () => {
    const shown = await show([options]);
    const { element, findAll, find, service } = shown;
    expect(find('.block').getAttribute('role')).to.equal('group');
    findAll('[part=option]')[0]!.click();
    findAll('[part=option]')[1]!.click();
    await until(() => service.calls.length === 2 && !element.busy);
    expect(lastSent(shown)).to.equal('When are you open?');
    expect(lastShown(shown)).to.equal('Hours');
    expect(findAll<HTMLButtonElement>('[part=option]').map(({ disabled }) => disabled)).to.deep.equal([true, true]);
    expect(findAll('.chosen').map(({ parentElement }) => parentElement!.textContent.trim())).to.deep.equal([
      'Chosen:Hours',
    ]);
    await until(() => element.shadowRoot!.activeElement === find('textarea'));
    expect(service.calls.length).to.equal(2);
  });

  it('is shown in Arabic, and keeps its choice in the other language', async () => {
    const shown = await show([options], { locale: 'ar' });
    const { element, findAll } = shown;
    expect(findAll('[part=option]')[1]!.textContent).to.contain('الحصص');
    findAll('[part=option]')[1]!.click();
    await until(() => findAll('.text').length === 2);
    expect(lastSent(shown)).to.equal('الحصص');
    element.locale = 'en';
    await until(() => findAll('[part=option]')[1]!.textContent.includes('Classes'));
    expect(findAll('[part=option]')[1]!.querySelector('.chosen')).not.to.equal(null);
  });

  it('is disabled during a turn, and enabled again afterwards', async () => {
    const stream = openStream();
    const { element, findAll, service } = await mount([
      replyWith('Look:', { blocks: [options] }),
      stream.reply,
      replyWith('Thank you', { id: 'm2' }),
    ]);
    await element.send('Hi');
    void element.send('Something else');
    await until(() => findAll<HTMLButtonElement>('[part=option]')[0]?.disabled);
    findAll('[part=option]')[0]!.click();
    stream.write('done', { conversation_id: 'cnv_1', message: null });
    stream.end();
    await until(() => !findAll<HTMLButtonElement>('[part=option]')[0]!.disabled);
    expect(service.calls.length).to.equal(2);
    findAll('[part=option]')[0]!.click();
    await until(() => service.calls.length === 3);
  });

  it('can be used again when the page has rejected the choice', async () => {
    const { element, findAll, service } = await show([options]);
    element.addEventListener('workspace-chat-send', (event) => event.preventDefault(), { once: true });
    findAll('[part=option]')[0]!.click();
    expect(findAll<HTMLButtonElement>('[part=option]')[0]!.disabled).to.equal(false);
    findAll('[part=option]')[0]!.click();
    await until(() => service.calls.length === 2);
  });
});

describe('A products block', () => {
  it('shows price, availability and a safe link, and no image from a host that is not listed', async () => {
    const { findAll, find } = await show([products]);
    expect(findAll('.price').map(({ textContent }) => textContent.replace(/\s/g, ' '))).to.deep.equal([
      'OMR 7.000',
      '3 NOPE!',
    ]);
    expect(findAll('.stock').map(({ textContent }) => textContent)).to.deep.equal([
      'In stock',
      'Out of stock',
      'made to order',
    ]);
    expect(findAll<HTMLAnchorElement>('.product a').map(({ href }) => href)).to.deep.equal([
      'https://shop.example/mug',
    ]);
    expect(find('img')).to.equal(null);
  });

  it('has each price below its name, however short both are', async () => {
    const longName = 'Set of six coffee cups with a tray';
    const items = ['Mug', longName].map((name) => ({ name, price: 7, currency: 'OMR' }));
    const { findAll } = await show([{ type: 'products', items }]);
    const edges = findAll('.price bdi').map((price) => price.getBoundingClientRect().left);
    const names = findAll('.product strong').map((name) => name.getBoundingClientRect().left);
    expect(edges).to.deep.equal(names);
  });

  it('shows images from listed hosts, without sending a referrer', async () => {
    const { findAll, element } = await show([products], { 'image-hosts': 'cdn.example images.example' });
    const images = findAll<HTMLImageElement>('.product img');
    expect(images.length).to.equal(1);
    const [image] = images;
    expect(image!.referrerPolicy).to.equal('no-referrer');
    expect(image!.loading).to.equal('lazy');
    const { width, height } = image!.getBoundingClientRect();
    expect(width).to.be.greaterThan(20);
    expect(height).to.be.closeTo(width, 0.5);
    image!.dispatchEvent(new Event('error'));
    expect(image!.getBoundingClientRect().height, 'a failed image takes no space').to.equal(0);
    element.imageHosts = '';
    await until(() => findAll('img').length === 0);
  });

  it('sends the name and the id of a product, unless it is out of stock', async () => {
    const shown = await show([products]);
    const { findAll, service } = shown;
    const buttons = findAll('.product button');
    expect(buttons.map(({ textContent }) => textContent.trim().replace(/\s+/g, ' '))).to.deep.equal([
      'Choose Mug',
      'Choose Vase',
    ]);
    buttons[1]!.click();
    await until(() => service.calls.length === 2);
    expect(lastSent(shown)).to.equal('Vase prd_3');
    expect(lastShown(shown)).to.equal('Vase');
    await until(() => findAll('.product button').length === 0);
    expect(findAll('.product')[2]!.querySelector('.chosen')).not.to.equal(null);
  });
});
