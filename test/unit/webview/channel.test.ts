import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Channel, type ChannelWindow } from '../../../src/products/webview/channel.ts';
import { findParent, senderOf, type FramedWindow } from '../../../src/products/webview/parent-frame.ts';
import { findTransport, type AppWindow } from '../../../src/products/webview/transport.ts';

const recorder = () => {
  const posted: string[] = [];
  return { posted, postMessage: (json: string) => void posted.push(json) };
};

describe('The transport to the app', () => {
  it('is the first one that exists', () => {
    const all: AppWindow = {
      webkit: { messageHandlers: { workspaceChat: recorder() } },
      workspaceChatNative: recorder(),
      ReactNativeWebView: recorder(),
      Capacitor: { Plugins: { WorkspaceChat: { postMessage: async () => {} } } },
    };
    const found = [];
    for (const name of ['webkit', 'workspaceChatNative', 'ReactNativeWebView', 'Capacitor'] as const) {
      found.push(findTransport(all)?.name);
      delete all[name];
    }
    assert.deepEqual(found, ['webkit', 'native', 'react-native', 'capacitor']);
    assert.equal(findTransport(all), null);
  });

  it('is not an object that only looks similar', () => {
    assert.equal(findTransport({ webkit: { messageHandlers: {} }, Capacitor: { Plugins: {} } }), null);
    assert.equal(findTransport({ webkit: {}, Capacitor: {} }), null);
  });

  it('calls the methods of the app on their own object', () => {
    const native = {
      posted: [] as string[],
      postMessage(json: string) {
        this.posted.push(json);
      },
    };
    findTransport({ workspaceChatNative: native })!.post('{}');
    assert.deepEqual(native.posted, ['{}']);
  });
});

describe('The page around an iframe', () => {
  const frame = (ancestors: string[] | undefined, referrer = '') => {
    const posted: unknown[] = [];
    const parent = { postMessage: (...given: unknown[]) => void posted.push(given) };
    const page: FramedWindow = {
      parent,
      location: ancestors ? { ancestorOrigins: ancestors } : {},
      document: { referrer },
    };
    return { page, posted, parent };
  };
  const allowed = ['https://app.example', 'https://two.example'];

  it('receives messages at its own origin only, when it is allowed', () => {
    for (const { page, posted } of [
      frame(['https://app.example', 'https://evil.example']),
      frame(undefined, 'https://app.example/some/page'),
    ]) {
      findParent(page, allowed, null)!.post('{}');
      assert.deepEqual(posted, [['{}', 'https://app.example']]);
    }
  });

  it('receives no messages when it is not allowed', () => {
    assert.equal(findParent(frame(['https://evil.example']).page, allowed, null), null);
    assert.equal(findParent(frame(['https://app.example']).page, [], null), null);
    // Two origins are allowed and the browser names neither, so the page waits for a message first.
    assert.equal(findParent(frame(undefined).page, allowed, null), null);
    assert.equal(findParent(frame(undefined).page, allowed, 'https://two.example')?.name, 'parent');
  });

  it('may be identified by its message where the browser does not name its origin', () => {
    const { page, posted } = frame(undefined);
    findParent(page, ['https://app.example'], null)!.post('{}');
    assert.deepEqual(posted, [['{}', 'https://app.example']]);
  });

  it('can send messages when it is allowed, and other windows cannot', () => {
    const { page, parent } = frame(undefined);
    const from = (source: unknown, origin: string) =>
      senderOf({ source: source as MessageEventSource, origin }, page, allowed);
    assert.equal(from(parent, 'https://app.example'), 'parent');
    assert.equal(from(parent, 'https://evil.example'), null);
    assert.equal(from({}, 'https://app.example'), null);
    assert.equal(from(page, 'https://cdn.example'), 'page');
    assert.equal(from(null, ''), null, 'an event without a sender means nothing in a frame');
  });
});

describe('The channel to the app', () => {
  const open = (app: AppWindow = {}) => {
    const parts: { document: EventTarget; location: object; parent: unknown } = {
      document: Object.assign(new EventTarget(), { referrer: '' }),
      location: {},
      parent: undefined,
    };
    const page = Object.assign(new EventTarget(), app, parts);
    page.parent = page;
    const heard: unknown[] = [];
    const channel = new Channel(page as unknown as ChannelWindow, [], (json) => heard.push(json));
    const receive = (json: unknown) => (page as unknown as ChannelWindow).workspaceChat!.receive(json);
    return { page, channel, heard, receive };
  };

  it('stores messages until an app is connected', () => {
    const { page, channel, receive } = open();
    channel.post({ type: 'ready', configured: false });
    assert.equal(channel.isConnected, false);
    const native = recorder();
    Object.assign(page, { ReactNativeWebView: native });
    receive('{}');
    channel.post({ type: 'close' });
    assert.deepEqual(native.posted, ['{"v":1,"type":"ready","configured":false}', '{"v":1,"type":"close"}']);
  });

  it('stores at most a hundred messages', () => {
    const { page, channel } = open();
    for (let count = 1; count <= 150; count++) channel.post({ type: 'unread', count });
    const native = recorder();
    Object.assign(page, { ReactNativeWebView: native });
    assert.ok(channel.isConnected);
    assert.equal(native.posted.length, 100);
    assert.match(native.posted[0]!, /51/);
  });

  it('handles an event of the app on the window or on the document once', () => {
    const { page, heard } = open({ ReactNativeWebView: recorder() });
    const event = (json: string) => Object.assign(new Event('message'), { data: json, origin: '', source: null });
    page.dispatchEvent(event('1'));
    page.document.dispatchEvent(event('2'));
    assert.deepEqual(heard, ['1', '2']);
  });

  it('handles only addressed messages of the page’s own window', () => {
    const { page, heard } = open();
    for (const data of ['{"source":"devtools"}', 'x', '{"v":1,"type":"back"}']) {
      page.dispatchEvent(Object.assign(new Event('message'), { data, origin: 'https://cdn.example', source: page }));
    }
    assert.deepEqual(heard, ['{"v":1,"type":"back"}']);
  });
});
