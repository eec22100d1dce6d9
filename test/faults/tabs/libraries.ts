/** The widget on pages whose libraries patch built-in objects of JavaScript, such as Prototype.js. */
import { expect } from '@playwright/test';
import type { EngineFault, PortableFault } from '../../support/pages/fault.ts';
import { mooTools, monitor, prototypeJs, zone } from '../../support/pages/page-libraries.ts';
import { reply } from '../../support/servers/server-faults.ts';
import { poll } from '../../support/poll.ts';
import { bodies } from '../expected.ts';

const table = '| one | two |\n| - | - |\n| 1 | 2 |';
const options = { type: 'options', options: [{ label: 'First' }, { label: 'Second' }] };
const withOptions = { message: { id: 'msg_2', role: 'assistant', content: table, blocks: [options] } } as object;

/** A conversation with formatted replies, a choice, a draft and a reload. */
const run: PortableFault['run'] = async (page, server) => {
  server.onChat(reply('**Hello** _there_'), reply(table, withOptions), reply('Done'));
  await page.send('Hi');
  await page.expectTranscript('visitor: Hi', 'assistant: Hello there');
  await page.send('A table, please');
  await poll(() => page.texts('.agent td')).toEqual(['1', '2']);
  await page.click('Second');
  await poll(async () => (await page.texts('.agent .text')).at(-1)).toBe('Done');
  await page.fill('Half a thought');
  const before = await page.transcript();
  await page.reload();
  await page.expectInput('Half a thought');
  await page.expectTranscript(...before);
  await page.expectStored(
    'visitor confirmed: Hi',
    'ai whole: **Hello** _there_',
    'visitor confirmed: A table, please',
    `ai whole: ${table}`,
    'visitor confirmed: Second',
    'ai whole: Done',
    'credentials cnv_1',
  );
  expect(bodies(server)).toMatchObject([
    { messages: [{ role: 'user', content: 'Hi' }] },
    { messages: [{ role: 'user', content: 'A table, please' }] },
    { messages: [{ role: 'user', content: 'Second' }] },
  ]);
  await page.expectChatCalls(3);
};

const outcome = 'The replies, the blocks and the draft are rendered, sent and restored as on any other page.';

export const libraryFaults: EngineFault[] = [
  {
    name: 'Prototype.js',
    cause: 'The page loads an old Prototype.js, which turns arrays in JSON into text and replaces `Array.from`.',
    outcome,
    page: { initScript: prototypeJs },
    run,
  },
  {
    name: 'MooTools',
    cause: 'The page loads an old MooTools, which adds enumerable methods to all arrays, elements and functions.',
    outcome,
    page: { initScript: mooTools },
    run,
  },
  {
    name: 'zone.js',
    cause: 'The page loads zone.js, which replaces promises, timers and listeners.',
    outcome,
    page: { initScript: zone },
    run,
  },
  {
    name: 'a monitor of real users',
    cause: 'A monitoring script wraps fetch, XMLHttpRequest, timers, listeners and the console.',
    outcome,
    page: { initScript: monitor },
    run,
  },
];
