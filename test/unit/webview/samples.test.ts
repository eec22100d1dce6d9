/** Tests that the samples for apps, and the page about them, match the protocol of the webview. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { configurationShape } from '../../../src/products/webview/configuration.ts';
import { incomingTypes, parseIncoming, type Outgoing } from '../../../src/products/webview/protocol.ts';

const outgoingTypes = Object.keys({
  ready: true,
  'open-link': true,
  feedback: true,
  unread: true,
  message: true,
  error: true,
  tool: true,
  haptic: true,
  close: true,
  storage: true,
} satisfies Record<Outgoing['type'], true>);

const read = (path: string): Promise<string> => readFile(path, 'utf8');

const all = (text: string, pattern: RegExp): string[] => [
  ...new Set(Array.from(text.matchAll(pattern), (match) => match[1]!)),
];

describe('The samples for apps', () => {
  for (const language of ['swift', 'kt', 'jsx', 'dart']) {
    describe(language, () => {
      const source = read(`demo/webview/chat-screen.${language}`);

      it('say that they are not compiled here', async () => {
        assert.match((await source).split('\n', 1)[0]!, /^\/\/ Not compiled here\./);
      });

      it('send every message that the page needs, including identity, back, insets and tool results', async () => {
        const said = all(await source, /\bsay\(['"]([\w-]+)['"]/g).concat(
          all(await source, /\b_say\(['"]([\w-]+)['"]/g),
        );
        assert.deepEqual(
          said.filter((type) => !incomingTypes.includes(type)),
          [],
        );
        for (const type of ['back', 'identify', 'insets', 'toolResult']) assert.ok(said.includes(type), type);
      });

      it('handle every message of the page, including links, tools, errors and the end', async () => {
        const heard = all(await source, language === 'kt' ? /^\s*"([\w-]+)" ->/gm : /^\s*case ['"]([\w-]+)['"]:/gm);
        assert.deepEqual(
          heard.filter((type) => !outgoingTypes.includes(type)),
          [],
        );
        for (const type of ['ready', 'open-link', 'tool', 'error', 'close']) assert.ok(heard.includes(type), type);
        const text = await source;
        assert.equal(heard.includes('storage'), !/No [“"`]?storage/.test(text), 'keeps records, or says why not');
      });

      it('configure only existing fields', async () => {
        const text = await source;
        const block = /configuration\b[\s\S]*?(baseUrl[\s\S]*?tools[\s\S]*?get_order_status)/i.exec(text)?.[1] ?? '';
        const named = language === 'kt' ? /\bput\("(\w+)"/g : /(?:['"]|^\s*)(\w+)['"]?:(?!\/)/gm;
        const fields = all(`put("${block}`, named).filter((name) => !['name', 'confirm'].includes(name));
        assert.deepEqual(
          fields.filter((name) => !Object.hasOwn(configurationShape, name)),
          [],
        );
        for (const name of ['baseUrl', 'publishableKey', 'agentId', 'tools']) assert.ok(fields.includes(name), name);
      });
    });
  }
});

describe('The pages about webviews', () => {
  const page = read('docs/webview/protocol.md');

  /** Returns the messages in the code of a section. */
  const examples = async (heading: string): Promise<{ type: string }[]> => {
    const section = (await page).split(`## ${heading}\n`)[1]!.split('\n## ')[0]!;
    return Array.from(section.matchAll(/^(\{"v":.*\})$/gm), ([, json]) => JSON.parse(json!) as { type: string });
  };

  it('has a valid example of every message of the app', async () => {
    const messages = await examples('From the app');
    for (const message of messages) {
      const parsed = parseIncoming(JSON.stringify(message));
      assert.notEqual(parsed.type, 'error', JSON.stringify(parsed));
    }
    assert.deepEqual([...new Set(messages.map(({ type }) => type))].sort(), [...incomingTypes].sort());
  });

  it('has an example of every message to the app', async () => {
    const messages = await examples('To the app');
    assert.deepEqual([...new Set(messages.map(({ type }) => type))].sort(), outgoingTypes.toSorted());
  });

  it('names every field of a configuration', async () => {
    const section = (await page).split('## What can be configured\n')[1]!.split('\n## ')[0]!;
    const named = all(section, /`(\w+)`/g);
    for (const name of [...Object.keys(configurationShape), 'allowedOrigins']) assert.ok(named.includes(name), name);
  });

  it('links the sample of each platform', async () => {
    const samples = { ios: 'swift', android: 'kt', 'react-native': 'jsx', flutter: 'dart' };
    for (const [platform, language] of Object.entries(samples)) {
      const text = await read(`docs/webview/${platform}.md`);
      assert.ok(text.includes(`(../../demo/webview/chat-screen.${language})`), platform);
    }
  });
});
