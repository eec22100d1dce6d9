import { expect } from '@open-wc/testing';
import { mount, until } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

const text = [
  'Two  spaces, *stars*, **pairs**, _lines_ and `ticks` stay.',
  '',
  '- not a list',
  '# not a heading',
  '1. no number',
  '<br> &amp; [a](https://b.example)',
  'الرابط:https://a.example/x، وهاتف +968 9212 3456 أو a@b.example',
].join('\n');
const links = ['https://b.example/', 'https://a.example/x', 'tel:+96892123456', 'mailto:a@b.example'];

describe('A message of a person', () => {
  /** Sends a text as the visitor and receives it from the team. Returns both bubbles. */
  const bubbles = async (attributes: Record<string, string> = {}) => {
    const mounted = await mount([streamed(started())], attributes);
    const { element, findAll } = mounted;
    await element.send(text);
    element.receive({ id: 'm9', role: 'assistant', actor_type: 'owner', content: text });
    await until(() => findAll('.bubble.person').length === 2);
    return { ...mounted, both: findAll('.bubble.person') };
  };

  it('is not Markdown: every character, line and space stays', async () => {
    const { both } = await bubbles();
    for (const bubble of both) {
      expect(bubble.textContent).to.equal(text);
      expect(bubble.querySelector('ul, ol, em, strong, code, br, h3')).to.equal(null);
      expect(getComputedStyle(bubble).whiteSpace).to.equal('pre-wrap');
      const directions = [...bubble.children].map((line) => getComputedStyle(line).direction);
      expect([directions[0], directions.at(-1)], 'each line has its own direction').to.deep.equal(['ltr', 'rtl']);
    }
  });

  it('has links and numbers that work, which the page may handle itself', async () => {
    const { element, both } = await bubbles();
    const opened: string[] = [];
    element.addEventListener('workspace-chat-link', (event) => {
      event.preventDefault();
      opened.push(event.url);
    });
    for (const bubble of both) {
      const found = [...bubble.querySelectorAll('a')];
      expect(found.map(({ href }) => href)).to.deep.equal(links);
      opened.length = 0;
      found.forEach((link) => link.click());
      expect(opened).to.deep.equal(links);
      expect(bubble.querySelector('bdi')!.textContent).to.equal('+968 9212 3456');
    }
  });

  it('shows the host of a link of the team to another host, and not of a link of the visitor', async () => {
    const { both } = await bubbles({ 'link-hosts': 'a.example' });
    const hosts = both.map((bubble) => bubble.querySelector('a')!.getAttribute('data-host'));
    expect(hosts).to.deep.equal([null, 'b.example']);
  });
});

it('A reply that begins with thoughts shows no bubble until its text begins, and says that the assistant thinks', async () => {
  const { openStream } = await import('../support/fakes/fake-service.ts');
  const stream = openStream();
  const { element, find, findAll } = await mount([stream.reply]);
  void element.send('Hi');
  stream.write('delta', { text: '<think>They greet me.\n\nI greet back' });
  await until(() => find('.bubble.text')?.hidden);
  expect(find('.thinking')).not.to.equal(null);
  expect(find('.bubble.text').textContent).to.equal('');
  stream.write('delta', { text: '.</think>\n\nHello' });
  await until(() => find('.bubble.text').textContent === 'Hello');
  expect(find('.bubble.text').hidden).to.equal(false);
  expect(findAll('.thinking').length).to.equal(0);
  stream.end();
});
