import { expect } from '@open-wc/testing';
import { addMarkup, mount, press, type, until, use, type Mounted } from '../support/pages/element.ts';
import { openStream, refusal, replyWith, response, started, streamed } from '../support/fakes/fake-service.ts';

const options = { type: 'options', prompt: 'Which one?', options: [{ label: 'Hours' }, { label: 'Classes' }] };
const form = {
  type: 'form',
  fields: [{ key: 'name', kind: 'text', label_en: 'Name', label_ar: 'الاسم', required: true }],
};

interface Announcement {
  text: string;
  priority: string;
}

/** Records the announcements, with `ariaNotify` or without it, as older browsers are. */
const recordAnnouncements = (hasNotify: boolean): Announcement[] => {
  const announced: Announcement[] = [];
  Object.defineProperty(Element.prototype, 'ariaNotify', {
    configurable: true,
    writable: true,
    value: hasNotify
      ? (text: string, { priority }: Announcement) => void announced.push({ text, priority })
      : undefined,
  });
  return announced;
};

const focused = ({ element }: Mounted): string => {
  const { activeElement } = element.shadowRoot!;
  return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent.trim() ?? '';
};

const native = Object.getOwnPropertyDescriptor(Element.prototype, 'ariaNotify');

describe('Focus and announcements', () => {
  let announced: Announcement[];

  beforeEach(() => {
    announced = recordAnnouncements(true);
  });

  afterEach(() => {
    if (native) Object.defineProperty(Element.prototype, 'ariaNotify', native);
    else delete (Element.prototype as { ariaNotify?: unknown }).ariaNotify;
  });

  const open = async (responses: Parameters<typeof mount>[0] & object, attributes = {}): Promise<Mounted> => {
    const mounted = await mount(responses, attributes);
    await until(() => mounted.find('[role=status]'));
    return mounted;
  };

  const composerHasFocus = (chat: Mounted) => until(() => focused(chat) === 'Message');

  it('moves focus from a chosen starter to the composer', async () => {
    const chat = await open([streamed(started())], { starters: '["Hello"]' });
    use(await until(() => chat.find('.starter')));
    await composerHasFocus(chat);
  });

  it('moves focus to the composer after a click that does not focus the button, as in Safari', async () => {
    const chat = await open([streamed(started())], { starters: '["Hello"]' });
    (await until(() => chat.find('.starter'))).click();
    await composerHasFocus(chat);
  });

  it('moves focus from a chosen option to the composer', async () => {
    const chat = await open([replyWith('Please choose', { blocks: [options] }), streamed(response())]);
    await chat.element.send('Hi');
    use(await until(() => chat.find('[part=option]:not(:disabled)')));
    await composerHasFocus(chat);
  });

  it('moves focus from a submitted form to the composer', async () => {
    const chat = await open([replyWith('Please choose', { blocks: [form] }), streamed(response())]);
    await chat.element.send('Hi');
    const field = await until(() => chat.find<HTMLInputElement>('[part=field]'));
    type(field, 'Salma');
    use(await until(() => chat.find('form .primary:not(:disabled)')));
    await composerHasFocus(chat);
  });

  it('keeps focus on the field with an error when the form is not valid', async () => {
    const chat = await open([replyWith('Please choose', { blocks: [form] })]);
    await chat.element.send('Hi');
    use(await until(() => chat.find('form .primary:not(:disabled)')));
    await until(() => chat.element.shadowRoot!.activeElement === chat.find('[part=field]'));
  });

  it('moves focus from Stop to the composer when the reply ends', async () => {
    const stream = openStream();
    const chat = await open([stream.reply]);
    void chat.element.send('Hi');
    const stop = await until(() => chat.find('.send[aria-label=Stop]'));
    stop.focus();
    stream.write('done', started());
    stream.end();
    await composerHasFocus(chat);
    expect(chat.find('.send')).to.equal(stop);
  });

  it('moves focus from Edit and from Send again to the composer', async () => {
    const rejected = refusal(422, 'validation_error');
    const chat = await open([rejected, rejected, rejected]);
    await chat.element.send('Hi');
    const button = (label: string) =>
      until(() => chat.findAll<HTMLButtonElement>('.actions button').find((each) => each.textContent === label));
    use(await button('Send again'));
    await composerHasFocus(chat);
    use(await button('Edit'));
    await composerHasFocus(chat);
    expect(chat.find<HTMLTextAreaElement>('textarea').value).to.equal('Hi');
  });

  it('moves focus from the consent prompt to the composer, and announces the question', async () => {
    const stream = openStream();
    const chat = await open([stream.reply, streamed(response())]);
    chat.element.registerTool({ name: 'find_order', confirm: () => 'Look up your order?', run: () => 'Shipped' });
    void chat.element.send('Where is it?');
    stream.write('client_tool', { call_id: 'c1', name: 'find_order', arguments: {}, ...started() });
    const prompt = await until(() => chat.find('.tool-prompt'));
    await until(() => announced.find(({ text }) => text === 'Look up your order?'));
    expect(announced.at(-1)!.priority).to.equal('high');
    await until(() => prompt.getAnimations().every(({ playState }) => playState === 'finished'));
    const refuse = chat.findAll<HTMLButtonElement>('.tool-prompt button')[1]!;
    await until(() => {
      refuse.focus();
      refuse.click();
      return !prompt.isConnected;
    });
    await composerHasFocus(chat);
  });

  it('leaves focus alone when the visitor has moved it to the page', async () => {
    const outside = addMarkup('<input>');
    const chat = await open([streamed(started())], { starters: '["Hello"]' });
    use(await until(() => chat.find('.starter')));
    outside.focus();
    await until(() => !chat.find('.starter') && !chat.element.busy);
    await new Promise((resolve) => setTimeout(resolve));
    expect(document.activeElement).to.equal(outside);
  });

  it('announces a reply once, when it is complete', async () => {
    const chat = await open([streamed(started(), 'Hello', ' there')]);
    await chat.element.send('Hi');
    expect(announced).to.deep.equal([{ text: 'Assistant: Hello there', priority: 'normal' }]);
  });

  it('uses live regions where the browser has no ariaNotify, and empties them when the conversation is erased', async () => {
    recordAnnouncements(false);
    const chat = await open([streamed(started())]);
    await chat.element.send('Hi');
    expect(chat.find('[role=status]').textContent).to.equal('Assistant: Hello there');
    await chat.element.reset();
    expect(chat.find('[role=status]').textContent).to.equal('New conversation');
    expect(chat.find('[role=alert]').textContent).to.equal('');
  });

  for (const hasNotify of [true, false])
    it(`announces a reply in another language from an element of its language (${hasNotify ? 'ariaNotify' : 'live region'})`, async () => {
      const said: [lang: string, text: string][] = [];
      recordAnnouncements(hasNotify);
      const langOf = (element: Element) => element.closest<HTMLElement>('[lang]')!.lang.slice(0, 2);
      if (hasNotify)
        (Element.prototype as unknown as { ariaNotify: unknown }).ariaNotify = function (this: Element, text: string) {
          said.push([langOf(this), text]);
        };
      const chat = await open([replyWith('Bonjour', { id: 'm', lang: 'fr' }), streamed(started())]);
      for (const sent of ['Hi', 'Hello']) {
        await chat.element.send(sent);
        if (!hasNotify) for (const line of chat.findAll('[role=status] p')) said.push([langOf(line), line.textContent]);
      }
      expect(said).to.deep.equal([
        ['en', 'Assistant:'],
        ['fr', 'Bonjour'],
        ['en', 'Assistant: Hello there'],
      ]);
    });

  it('announces the replies of the conversation that replaces another one', async () => {
    const chat = await open([streamed(started()), streamed(started({ conversation_id: 'cnv_2' }))]);
    await chat.element.send('Hi');
    chat.element.agentId = 'agt_2';
    await chat.element.updateComplete;
    await chat.element.ready;
    await chat.element.send('Hi');
    expect(announced.map(({ text }) => text)).to.deep.equal(['Assistant: Hello there', 'Assistant: Hello there']);
  });

  it('announces nothing while the panel is closed', async () => {
    const chat = await mount([streamed(started())], { mode: 'floating' });
    chat.element.show();
    const input = await until(() => chat.find('textarea'));
    await until(() => chat.find('[role=status]'));
    press(input, 'Escape');
    chat.element.hide();
    await chat.element.send('Hi');
    expect(announced).to.deep.equal([]);
  });
});
