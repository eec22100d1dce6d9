import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { recordKey } from '../../../src/chat/storage/peek.ts';
import { takeInitialConfiguration, type ConfiguredWindow } from '../../../src/products/webview/configuration.ts';
import { encode, isAddressed, parseIncoming, type ProtocolError } from '../../../src/products/webview/protocol.ts';

const say = (fields: object) => parseIncoming(JSON.stringify({ v: 1, ...fields }));

const complaintOf = (json: unknown): Pick<ProtocolError, 'code' | 'about'> & { detail?: string } => {
  const message = parseIncoming(json);
  assert.ok(message.type === 'error', JSON.stringify(message));
  return message;
};

describe('A message of the app', () => {
  for (const message of [
    { type: 'configure', configuration: { baseUrl: 'https://api.example/api/v2', heading: null, tools: [] } },
    { type: 'identify', contact: { token: 'a.b.c' } },
    { type: 'identify', contact: { user_id: '1', user_hash: 'f' } },
    { type: 'identify', contact: null },
    { type: 'logout' },
    { type: 'back' },
    { type: 'send', text: 'سلام' },
    { type: 'insets', top: 44, bottom: 0 },
    { type: 'colorScheme', value: 'dark' },
    { type: 'locale', value: 'ar-OM' },
    { type: 'locale', value: null },
    { type: 'toolResult', callId: 'c', ok: true, result: { a: 1 } },
    { type: 'toolResult', callId: 'c', ok: false, error: '' },
    { type: 'storage', id: 's1', value: null },
    { type: 'storage', id: 's1', value: '{}' },
    { type: 'storage', id: 's1', error: 'full' },
  ]) {
    it(`is parsed: ${JSON.stringify(message)}`, () => assert.deepEqual(say(message), message));
  }

  it('may consist of the configuration only', () => {
    assert.deepEqual(parseIncoming('{"workspaceChatConfig":{"agentId":"agt_1"}}'), {
      type: 'configure',
      configuration: { agentId: 'agt_1' },
    });
    assert.match(complaintOf('{"workspaceChatConfig":7}').detail!, /“configuration” must be an object/);
  });

  for (const [fields, detail] of [
    [{ type: 'send', text: '' }, '“text” must be a string that is not empty.'],
    [{ type: 'back', now: true }, 'There is no field “now”. Known are: none.'],
    [{ type: 'identify' }, '“contact” must be {token}, or {user_id, user_hash}, or null.'],
    [{ type: 'identify', contact: { token: 'a', user_id: '1' } }, '“contact” must be'],
    [{ type: 'insets', left: '5' }, '“left” must be a number of CSS pixels, 0 or more.'],
    [{ type: 'colorScheme', value: 'night' }, '“value” must be one of “auto”, “light”, “dark”.'],
    [{ type: 'toolResult', callId: 'c', ok: 'yes' }, '“ok” must be true or false.'],
    [{ type: 'toolResult', callId: 'c', ok: true, result: 'done' }, '“result” must be an object, or null.'],
    [{ type: 'storage', value: 'x' }, '“id” must be a string that is not empty.'],
    [{ type: 'storage', id: 's1', value: {} }, '“value” must be a string, or null.'],
    [{ type: 'configure', configuration: { storage: 'disk' } }, '“storage” must be one of'],
    [{ type: 'configure', configuration: { tools: [{ name: 'a' }, { name: 'a' }] } }, 'a snake_case name of its own'],
    [{ type: 'configure', configuration: { tools: [{ name: 'Get Order' }] } }, 'a snake_case name of its own'],
    [{ type: 'configure', configuration: { tools: [{ name: null }] } }, 'a snake_case name of its own'],
    [{ type: 'configure', configuration: { theme: { 'Accent;': 'red' } } }, '“theme” must be'],
    [{ type: 'configure', configuration: { theme: { acent: 'red' } } }, '“theme” must be'],
    [{ type: 'configure', configuration: { theme: { '--workspace-chat-accent': 'red' } } }, '“theme” must be'],
    [{ type: 'configure', configuration: { baseUrl: 'x' } }, '“baseUrl” must be an absolute http(s) URL'],
    [{ type: 'configure', configuration: { baseUrl: 'ftp://api.example' } }, '“baseUrl” must be'],
    [{ type: 'configure', configuration: { publishableKey: 'svc_sk_1' } }, '“publishableKey” must be'],
    [{ type: 'configure', configuration: { publishableKey: 'YOUR_KEY' } }, '“publishableKey” must be'],
    [{ type: 'configure', configuration: { agentId: 'agt_…' } }, '“agentId” must be'],
    [{ type: 'configure', configuration: { strings: { tooLong: 'Has forms in truth' } } }, '“strings” must be'],
    [{ type: 'configure', configuration: { strings: { noSecrets: 'A function in truth' } } }, '“strings” must be'],
    [{ type: 'configure', configuration: { strings: { en: { nothing: 'x' } } } }, '“strings” must be'],
    [{ type: 'configure', configuration: { mode: 'floating' } }, 'There is no field “mode”.'],
    [{ type: 'configure', configuration: { allowedOrigins: [] } }, 'There is no field “allowedOrigins”.'],
  ] as const) {
    it(`is rejected: ${JSON.stringify(fields)}`, () => {
      const complaint = complaintOf(JSON.stringify({ v: 1, ...fields }));
      assert.equal(complaint.code, 'invalid_field');
      assert.equal(complaint.about, fields.type);
      assert.ok(complaint.detail!.includes(detail), complaint.detail);
    });
  }

  it('may override plain strings, in one language or both', () => {
    for (const strings of [{ heading: 'Help' }, { en: { heading: 'Help' }, ar: { starters: ['أهلا'] } }, null]) {
      assert.equal(say({ type: 'configure', configuration: { strings } }).type, 'configure');
    }
  });

  it('may override texts with a number by their plural forms, also those that English has not', () => {
    const unread = { one: 'رسالة', two: 'رسالتان', few: '# رسائل', other: '# رسالة' };
    const tooLong = { one: 'One character too long', other: '# characters too long' };
    for (const strings of [{ unread }, { ar: { unread, blockNames: { links: unread } } }, { en: { tooLong } }]) {
      assert.equal(say({ type: 'configure', configuration: { strings } }).type, 'configure');
    }
    for (const forms of [{ one: 'A message' }, { other: '' }, { other: '#', some: '#' }]) {
      complaintOf(JSON.stringify({ v: 1, type: 'configure', configuration: { strings: { unread: forms } } }));
    }
  });

  it('is either parsed as a whole or rejected, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.json(), fc.string()), (anything) => {
        assert.ok(typeof parseIncoming(anything).type === 'string');
      }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('configure', 'identify', 'send', 'insets', 'toolResult', 'storage', 'constructor'),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (type, fields) => {
          const message = say({ ...fields, v: 1, type });
          assert.ok(message.type === 'error' || message.type === type);
        },
      ),
    );
  });

  it('is distinguished from messages of other scripts', () => {
    assert.ok(isAddressed('{"v":1,"type":"nonsense"}'));
    assert.ok(isAddressed('{"workspaceChatConfig":{}}'));
    for (const other of [{ v: 1, type: 'send' }, '{"source":"devtools"}', 'hello', '{"type":"send"}', null]) {
      assert.ok(!isAddressed(other));
    }
  });

  it('is posted with the version of the protocol', () => {
    assert.equal(
      encode({ type: 'feedback', messageId: 'msg_1', rating: -1, comment: '' }),
      '{"v":1,"type":"feedback","messageId":"msg_1","rating":-1,"comment":""}',
    );
    assert.equal(encode({ type: 'unread', count: 2 }), '{"v":1,"type":"unread","count":2}');
  });
});

describe('The initial configuration', () => {
  const open = (hash: string, workspaceChatConfig?: unknown) => {
    const replaced: unknown[] = [];
    const page: ConfiguredWindow = {
      location: { hash, pathname: '/webview.html', search: '?a=b' },
      history: { replaceState: (_state, _title, url) => void replaced.push(url) },
      ...(workspaceChatConfig !== undefined && { workspaceChatConfig }),
    };
    return { ...takeInitialConfiguration(page), page, replaced };
  };
  const hashOf = (configuration: unknown) =>
    `#workspaceChatConfig=${encodeURIComponent(JSON.stringify(configuration))}`;

  it('merges the fragment and the injected object, and removes both from the page', () => {
    const { configuration, problems, page, replaced } = open(hashOf({ agentId: 'a', heading: 'A' }), { heading: 'B' });
    assert.deepEqual(configuration, { agentId: 'a', heading: 'B' });
    assert.deepEqual(problems, []);
    assert.deepEqual(replaced, ['/webview.html?a=b']);
    assert.ok(!('workspaceChatConfig' in page));
  });

  it('may be injected as JSON', () => assert.deepEqual(open('', '{"agentId":"a"}').configuration, { agentId: 'a' }));

  it('alone can name the origins that may embed the page', () => {
    const allowedOrigins = ['https://app.example', 'http://localhost:3000'];
    assert.deepEqual(open(hashOf({ allowedOrigins })).configuration, { allowedOrigins });
    for (const wrong of ['*', 'https://app.example/', 'app.example', 'null']) {
      assert.match(
        open(hashOf({ allowedOrigins: [wrong] })).problems[0]!,
        /“allowedOrigins” must be an array of origins/,
      );
    }
  });

  it('is accepted as a whole or not at all, and its fragment is removed in both cases', () => {
    for (const hash of [
      '#workspaceChatConfig=%',
      '#workspaceChatConfig=%7B',
      hashOf([1]),
      hashOf({ agentId: 1, heading: 'A' }),
    ]) {
      const { configuration, problems, replaced } = open(hash);
      assert.deepEqual(configuration, {});
      assert.equal(problems.length, 1);
      assert.equal(replaced.length, 1);
    }
  });

  it('leaves other fragments alone', () => {
    const { problems, replaced } = open('#section');
    assert.deepEqual([problems, replaced], [[], []]);
  });
});

it('A theme may have every custom property of the element', async () => {
  const properties = await readFile('src/workspace-chat/properties.ts', 'utf8');
  const names = Array.from(properties.matchAll(/@cssprop.*?--workspace-chat-([a-z-]+)/g), ([, name]) => name!);
  assert(names.length > 30);
  const theme = Object.fromEntries(names.map((name) => [name, '1px']));
  assert.equal(say({ type: 'configure', configuration: { theme } }).type, 'configure');
});

it('The page about storage names the key of a conversation', async () => {
  const page = await readFile('docs/webview/what-the-app-does.md', 'utf8');
  const names = { baseUrl: '<baseUrl>', publishableKey: '<publishableKey>', agentId: '<agentId>' };
  assert(page.includes(`\`${recordKey(names)}\``));
});
