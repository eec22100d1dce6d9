import { expect } from '@open-wc/testing';
import type { WorkspaceChatElement } from '../../src/element.ts';
import { addMarkup, mount, press, recordErrors, unmountAll, until, type Mounted } from '../support/pages/element.ts';
import { json, openStream, response, started, streamed, unreachable } from '../support/fakes/fake-service.ts';
import { afterPaint } from '../../src/controllers/after-paint.ts';

const floating = { mode: 'floating' };

/** Resolves as soon as the next dialog is shown, before it is painted. */
const whenPopoverShown = (): Promise<void> =>
  new Promise((resolve) => {
    const { showPopover } = HTMLDialogElement.prototype;
    HTMLDialogElement.prototype.showPopover = function show() {
      Reflect.deleteProperty(HTMLDialogElement.prototype, 'showPopover');
      showPopover.call(this);
      resolve();
    };
  });

const heard = (element: WorkspaceChatElement, name: keyof HTMLElementEventMap): Event[] => {
  const events: Event[] = [];
  element.addEventListener(name, (event) => events.push(event));
  return events;
};

describe('The element', () => {
  it('gives its developers no warning of Lit', () => {
    const { litIssuedWarnings } = globalThis as { litIssuedWarnings?: Set<string> };
    const ofElement = [...litIssuedWarnings!].filter((warning) => !/dev-mode|dev mode/.test(warning));
    expect(ofElement).to.deep.equal([]);
  });

  it('reads the values of its attributes whatever invisible characters are in them', async () => {
    const { element } = await mount([], { mode: 'floating' });
    const values = {
      mode: 'fullscreen',
      placement: 'start',
      expand: 'off',
      enter: 'newline',
      layer: 'page',
      'color-scheme': 'dark',
      storage: 'memory',
      streaming: 'off',
    };
    for (const [name, value] of Object.entries(values)) {
      element.setAttribute(name, `\ufeff ${value.slice(0, 2)}\u200b${value.slice(2)}\u200e\n`);
      const property = name === 'color-scheme' ? 'colorScheme' : name;
      expect(element[property as keyof typeof element], name).to.equal(value);
    }
    element.setAttribute('link-hosts', '\u00a0shop.example \u200fhelp.shop.example');
    expect(element.linkHosts).to.equal('shop.example help.shop.example');
  });

  it('uses no Intl while it is closed: the browser would load its data on each page', async () => {
    const asked: string[] = [];
    const names = ['DateTimeFormat', 'DisplayNames', 'Locale', 'NumberFormat', 'PluralRules', 'Segmenter'] as const;
    const originals = Object.fromEntries(names.map((name) => [name, Intl[name]]));
    for (const name of names)
      Object.assign(Intl, {
        [name]: new Proxy(Intl[name], {
          construct: (target, parameters) => {
            asked.push(name);
            return Reflect.construct(target, parameters) as object;
          },
        }),
      });
    try {
      for (const locale of ['en', 'en-GB', 'ar', 'ar-OM', 'de']) {
        const { element } = await mount([], { mode: 'floating', locale });
        await element.ready;
      }
    } finally {
      Object.assign(Intl, originals);
    }
    expect(asked).to.deep.equal([]);
  });

  it('opens with its launcher, moves focus into the panel, and returns focus on Escape', async () => {
    const { element, find } = await mount([], floating);
    const opened = heard(element, 'workspace-chat-open');
    const closed = heard(element, 'workspace-chat-close');
    const launcher = await until(() => find<HTMLButtonElement>('.launcher'));
    launcher.focus();
    launcher.click();
    const input = await until(() => find('textarea'));
    await until(() => element.shadowRoot!.activeElement === input);
    expect(find('dialog').matches(':popover-open')).to.equal(true);
    expect(element.matches(':state(open)')).to.equal(true);
    expect(launcher.getAttribute('aria-label')).to.equal('Close chat');
    press(input, 'Escape');
    await until(() => !element.open);
    await until(() => element.shadowRoot!.activeElement === launcher);
    expect(find('dialog').matches(':popover-open')).to.equal(false);
    expect([opened.length, closed.length]).to.deep.equal([1, 1]);
  });

  it('has one button that closes it: the launcher, or one in the header where there is no launcher', async () => {
    const closing = ({ findAll }: Mounted) =>
      findAll('[aria-label="Close chat"], [title="Close chat"]').filter((button) => button.checkVisibility());
    const chat = await mount([], { ...floating, open: '' });
    await until(() => chat.find('dialog')?.matches(':popover-open'));
    expect(closing(chat)).to.deep.equal([chat.find('.launcher')]);
    chat.element.hideLauncher = true;
    await chat.element.updateComplete;
    expect(closing(chat)).to.deep.equal([chat.find('.header > button')]);
    chat.find('.header > button').click();
    await until(() => !chat.find('dialog').matches(':popover-open'));
  });

  it('leaves focus where the visitor moves it while the panel opens', async () => {
    const field = addMarkup('<input>');
    const controls = {
      'a field of the page': () => field,
      'the launcher, which closes the chat': ({ find }: Mounted) => find('.launcher'),
      'the button of the menu': ({ find }: Mounted) => find('[title=Menu]'),
    };
    for (const [name, control] of Object.entries(controls)) {
      for (const isPrepared of [false, true]) {
        const chat = await mount([], floating);
        const launcher = await until(() => chat.find<HTMLButtonElement>('.launcher'));
        if (isPrepared) {
          launcher.dispatchEvent(new PointerEvent('pointerenter'));
          await until(() => chat.find('textarea'));
        }
        launcher.focus();
        const shown = whenPopoverShown();
        launcher.click();
        await shown;
        control(chat).focus();
        await afterPaint();
        await afterPaint();
        expect(control(chat).matches(':focus'), `${name}, ${isPrepared ? 'prepared' : 'not prepared'}`).to.equal(true);
        await unmountAll();
      }
    }
  });

  it('opens with elements of the page, and returns focus to them', async () => {
    const button = addMarkup('<button class="ask"></button>');
    const { element, find } = await mount([], { ...floating, 'launcher-selector': '.ask', 'hide-launcher': '' });
    await element.updateComplete;
    expect(find('.launcher-box')).to.equal(null);
    button.focus();
    button.click();
    const input = await until(() => find('textarea'));
    await until(() => element.shadowRoot!.activeElement === input);
    press(input, 'Escape');
    await until(() => document.activeElement === button);
  });

  it('shows a problem without the launcher when the page opens the chat itself, and sends nothing', async () => {
    recordErrors();
    const attributes = { ...floating, 'hide-launcher': '', 'publishable-key': 'svc_sk_1' };
    const { element, find, service } = await mount([], attributes);
    const errors = heard(element, 'workspace-chat-error');
    element.show();
    const problem = await until(() => find('.problem'));
    expect(problem.checkVisibility()).to.equal(true);
    expect(find('[part=launcher]').checkVisibility()).to.equal(false);
    expect(await element.send('Hi')).to.equal(null);
    expect([errors.length > 0, service.calls.length]).to.deep.equal([true, 0]);
  });

  it('applies the page’s strings, with attributes taking precedence', async () => {
    const { element, find } = await mount([], { heading: 'Ask Noor' }, (chat) => {
      chat.strings = { en: { heading: 'Never seen', send: 'Go', status: { ai_active: 'Robot' } } };
    });
    expect(find('h2').textContent).to.equal('Ask Noor');
    expect(find('.send').getAttribute('aria-label')).to.equal('Go');
    expect(find('.status').textContent).to.equal('Robot');
    element.strings = null;
    await until(() => find('.status').textContent === 'Assistant');
  });

  it('fires its events in order', async () => {
    const { element } = await mount([
      streamed(started({ lead_captured: true })),
      streamed(response({ state: 'handoff_requested' })),
    ]);
    const log: string[] = [];
    for (const name of ['send', 'message', 'conversation', 'state', 'lead', 'error'] as const) {
      element.addEventListener(`workspace-chat-${name}`, (event) => {
        log.push([name, 'change' in event ? event.change : 'state' in event ? event.state : ''].join(' ').trim());
      });
    }
    const reply = await element.send('Hi');
    expect(reply?.message).to.include({ id: 'msg_1', role: 'assistant', content: 'Hello there' });
    await element.send('A person, please');
    expect(log).to.deep.equal([
      'send',
      'conversation started',
      'message',
      'lead',
      'send',
      'message',
      'state handoff_requested',
    ]);
    expect(element.conversationId).to.equal('cnv_1');
    expect(element.conversationState).to.equal('handoff_requested');
  });

  it('reports errors by their code', async () => {
    const { element } = await mount([unreachable]);
    const errors = heard(element, 'workspace-chat-error');
    expect(await element.send('Hi')).to.equal(null);
    expect(errors[0]).to.include({ code: 'network', status: 0, retryable: true });
  });

  it('keeps showing that the service is unreachable until a call succeeds', async () => {
    // Two more requests find out for the console why no response arrived.
    const { element, find, service } = await mount([unreachable, unreachable, unreachable, json(started())]);
    const isShown = () => find('.status').classList.contains('status-closed');
    await element.send('Hi');
    await until(isShown);
    expect(find('.status').textContent).to.equal('Assistant');
    await until(() => service.calls.length === 3);
    await element.send('Hi again');
    await until(() => !isShown());
  });

  it('counts messages that arrive while it is closed, until it is opened', async () => {
    const { element, find } = await mount([streamed(started())], floating);
    const counts = heard(element, 'workspace-chat-unread');
    await element.send('Hi');
    expect(element.unreadCount).to.equal(1);
    expect(element.matches(':state(unread)')).to.equal(true);
    const badge = await until(() => find('.badge'));
    expect(badge.textContent).to.equal('1');
    expect(find('.launcher').getAttribute('aria-label')).to.equal('Open chat, 1 new message');
    element.show();
    await until(() => element.unreadCount === 0);
    expect(counts.map((event) => 'count' in event && event.count)).to.deep.equal([1, 0]);
  });

  it('is busy while a reply streams', async () => {
    const stream = openStream();
    const { element } = await mount([stream.reply]);
    const sent = element.send('Hi');
    await until(() => element.busy);
    expect(element.matches(':state(busy)')).to.equal(true);
    stream.write('done', started());
    await sent;
    expect(element.busy).to.equal(false);
  });

  it('stops and starts a new conversation when its key, agent or URL changes', async () => {
    const stream = openStream();
    const { element, service, findAll } = await mount([stream.reply, json(started({ conversation_id: 'cnv_2' }))]);
    const first = element.send('Hi');
    await until(() => service.calls.length === 1);
    element.agentId = 'agt_2';
    expect(await first).to.equal(null);
    expect(stream.isCanceled).to.equal(true);
    await until(() => findAll('.message.visitor').length === 0);
    await element.send('Hello');
    expect(service.calls[1]!.url).to.contain('/agents/agt_2/chat');
    expect(element.conversationId).to.equal('cnv_2');
  });

  describe('fires one event “ready”', () => {
    const changes: Record<string, (element: WorkspaceChatElement) => Promise<unknown>> = {
      'when its agent changes while it starts': async (element) => {
        element.agentId = 'agt_2';
        await element.updateComplete;
      },
      'when it is removed while it starts, and added again': async (element) => {
        const { parentElement } = element;
        element.remove();
        await afterPaint();
        await afterPaint();
        parentElement!.append(element);
      },
    };
    for (const [name, change] of Object.entries(changes))
      it(name, async () => {
        const { element } = await mount([], floating);
        const events = heard(element, 'workspace-chat-ready');
        await element.updateComplete;
        await change(element);
        await element.ready;
        expect(element.isConnected).to.equal(true);
        await until(() => events.length > 0);
        for (let frame = 0; frame < 3; frame++) await afterPaint();
        expect(events.length).to.equal(1);
      });
  });

  it('rejects a tool without a valid name, and more than twenty tools', async () => {
    const { element } = await mount();
    const run = () => ({});
    expect(() => element.registerTool({ name: 'getOrder', run })).to.throw(TypeError, 'snake_case');
    for (let i = 0; i < 20; i++) element.registerTool({ name: `tool_${i}`, run });
    expect(() => element.registerTool({ name: 'one_more', run })).to.throw(TypeError, '20 tools');
    element.registerTool({ name: 'tool_1', run });
  });

  it('continues when the listeners of the page throw at every event', async () => {
    const { element } = await mount([streamed(started())]);
    const names = ['send', 'message', 'conversation', 'state', 'unread'] as const;
    const before = window.onerror;
    let caught = 0;
    window.onerror = () => {
      caught++;
      return true;
    };
    for (const name of names)
      element.addEventListener(`workspace-chat-${name}`, () => {
        throw new Error('a fault of the page');
      });
    expect((await element.send('Hi'))?.message).to.include({ content: 'Hello there' });
    window.onerror = before;
    expect(caught).to.be.at.least(3);
    expect(element.busy).to.equal(false);
  });

  describe('whose listener changes the chat in an event', () => {
    const opened = async () => {
      const chat = await mount([], { mode: 'floating' });
      const fired: string[] = [];
      for (const name of ['open', 'close'] as const)
        chat.element.addEventListener(`workspace-chat-${name}`, () => fired.push(name));
      return { ...chat, fired };
    };

    it('can refuse each opening', async () => {
      const { element, fired } = await opened();
      element.addEventListener('workspace-chat-open', () => element.hide());
      for (let time = 0; time < 2; time++) {
        element.show();
        await until(() => fired.length === 2 * time + 2);
        expect([element.open, element.matches(':state(open)')]).to.deep.equal([false, false]);
      }
      expect(fired).to.deep.equal(['open', 'close', 'open', 'close']);
    });

    it('can refuse to be closed', async () => {
      const { element, fired } = await opened();
      element.addEventListener('workspace-chat-close', () => element.show(), { once: true });
      element.show();
      await until(() => fired.length === 1);
      element.hide();
      await until(() => fired.length === 3);
      expect(fired).to.deep.equal(['open', 'close', 'open']);
      expect([element.open, element.matches(':state(open)')]).to.deep.equal([true, true]);
    });

    it('fires no event while it is not in the page, and keeps what the next page of the tab opens', async () => {
      const { element, fired } = await opened();
      element.show();
      await until(() => fired.length === 1);
      element.remove();
      element.open = false;
      await element.updateComplete;
      expect(fired).to.deep.equal(['open']);
    });

    it('can set another agent, to which the message goes', async () => {
      const { element, service } = await opened();
      element.addEventListener('workspace-chat-open', () => (element.agentId = 'agt_2'), { once: true });
      element.show();
      await until(() => element.agentId === 'agt_2');
      await element.send('Hi').catch(() => null);
      expect(service.calls[0]!.url).to.contain('/agents/agt_2/');
    });
  });

  it('reads properties that are set in the form of attributes, or as numbers', async () => {
    const { element, find, findAll } = await mount();
    Object.assign(element, {
      strings: '{"en": {"placeholder": "Your question…"}}',
      starters: '["When are you open?"]',
      heading: 2027,
      agentId: 12,
    });
    await until(() => find<HTMLTextAreaElement>('textarea')?.placeholder === 'Your question…');
    await until(() => findAll('.starters button').length === 1);
    expect([element.agentId, find('[part~=heading]').textContent?.trim()]).to.deep.equal(['12', '2027']);
  });

  it('ignores a draft that is no text, and suggestions that are none', async () => {
    const { element, find, findAll } = await mount([streamed(started())]);
    await element.send('Hi');
    element.setDraft(null as never);
    element.suggest(['Opening hours', '  ', null, 7] as never);
    await until(() => findAll('.starters button, .suggestions button').length > 0);
    expect(findAll('.starters button, .suggestions button').length).to.equal(1);
    expect(find<HTMLTextAreaElement>('textarea').value).to.equal('');
  });
});
