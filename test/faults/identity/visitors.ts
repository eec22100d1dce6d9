/** Faults of visitors that change or return. */
import type { PortablePage } from '../../support/pages/portable-page.ts';
import type { EngineFault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import type { HostileServer } from '../../support/servers/hostile-server.ts';
import { reply } from '../../support/servers/server-faults.ts';
import { whole, ids, storedWhole } from '../expected.ts';
import { anew, person, identify, withContact, withIdentify } from './visitor.ts';

/** Takes the visitor from localStorage, so that a reload can change the visitor. */
const currentVisitor = withContact(`JSON.parse(localStorage.getItem('who') ?? 'null')`);

const become = (page: PortablePage, id: string | null) =>
  page.evaluate((name) => {
    localStorage.setItem('who', JSON.stringify(name && { user_id: name, user_hash: `hash-of-${name}` }));
  }, id);

/** Stores a conversation of the visitor Amal. */
const storeConversationOfAmal = async (page: PortablePage, server: HostileServer) => {
  await become(page, 'amal');
  await page.reload();
  server.onChat(reply());
  await page.send('secret of Amal');
  await page.expectTranscript('visitor: secret of Amal', 'assistant: Hello there');
  await poll(async () => (await page.record())?.conversationId).toBe('cnv_1');
};

export const visitorFaults: EngineFault[] = [
  {
    name: 'signing in keeps the conversation',
    cause: 'An anonymous visitor starts a conversation and then signs in.',
    outcome: 'The same conversation continues.',
    async run(page, server) {
      server.onChat(reply(), reply('Again'));
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await identify(page, person('amal'));
      await page.send('More');
      await page.expectTranscript(...whole, 'visitor: More', 'assistant: Again');
      await poll(() => ids(server)).toEqual([undefined, 'cnv_1']);
      await page.expectStored(
        ...storedWhole.slice(0, 2),
        'visitor confirmed: More',
        'ai whole: Again',
        'credentials cnv_1',
      );
    },
  },
  {
    name: 'the same visitor returns',
    cause: 'The page proves the visitor’s identity by a function that resolves later.',
    outcome: 'Nothing of the conversation is rendered until the function resolves, then all of it.',
    page: { initScript: currentVisitor },
    async run(page, server) {
      await storeConversationOfAmal(page, server);
      await page.addInitScript(
        withContact(`() => new Promise((resolve) => { window.proveIt = () => resolve(${person('amal')}); })`),
      );
      await page.reload();
      await page.waitFor('window.proveIt');
      await page.expectTranscript();
      await page.evaluate('window.proveIt()');
      await page.expectTranscript('visitor: secret of Amal', 'assistant: Hello there');
      await page.expectChatCalls(1);
      await page.expectStored('visitor confirmed: secret of Amal', 'ai whole: Hello there', 'credentials cnv_1');
    },
  },
  {
    name: 'another visitor',
    cause: 'Another visitor is signed in when the page is reloaded.',
    outcome:
      'The conversation is empty, the other transcript is not rendered for a single frame, and its record is erased.',
    page: { initScript: currentVisitor },
    async run(page, server) {
      await storeConversationOfAmal(page, server);
      await become(page, 'badr');
      await page.reload();
      await page.expectErased();
      await page.expectTranscript();
      await poll(() => page.evaluate('window.isSeen ?? false')).toBe(false);
      server.onChat(reply('Hello there', anew));
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await poll(() => ids(server)).toEqual([undefined, undefined]);
      await page.expectStored(...storedWhole.slice(0, 2), 'credentials cnv_2');
    },
  },
  {
    name: 'an anonymous visitor',
    cause: 'The page is reloaded without a proof of identity.',
    outcome:
      'The other transcript is not rendered for a single frame, and the first message starts a new conversation.',
    page: { initScript: currentVisitor },
    async run(page, server) {
      await storeConversationOfAmal(page, server);
      await become(page, null);
      await page.reload();
      await page.expectTranscript();
      server.onChat(reply('Hello there', anew));
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await poll(() => page.evaluate('window.isSeen ?? false')).toBe(false);
      await poll(() => ids(server)).toEqual([undefined, undefined]);
      await page.expectStored(...storedWhole.slice(0, 2), 'credentials cnv_2');
    },
  },
  {
    name: 'a page that knows that nobody is signed in',
    cause: 'The customer has signed out, and the next page calls `identify(null)`.',
    outcome: 'The transcript is not rendered for a single frame, its record is erased, and the chat is a new one.',
    page: { initScript: currentVisitor },
    async run(page, server) {
      await storeConversationOfAmal(page, server);
      await page.addInitScript(withIdentify('null'));
      await page.reload();
      await page.expectErased();
      await page.expectTranscript();
      await poll(() =>
        page.evaluate(`document.querySelector('workspace-chat').shadowRoot.textContent.includes('How can we help')`),
      ).toBe(true);
      await poll(() => page.evaluate('window.isSeen ?? false')).toBe(false);
      server.onChat(reply('Hello there', anew));
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.expectStored(...storedWhole.slice(0, 2), 'credentials cnv_2');
    },
  },
  {
    name: 'nobody is signed in on any page',
    cause: 'An anonymous visitor has a conversation, and every page calls `identify(null)`.',
    outcome: 'The conversation continues.',
    page: { initScript: withIdentify('null') },
    async run(page, server) {
      server.onChat(reply(), reply('Again'));
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.expectStored(...storedWhole);
      await page.reload();
      await page.expectTranscript(...whole);
      await page.send('More');
      await page.expectTranscript(...whole, 'visitor: More', 'assistant: Again');
      await poll(() => ids(server)).toEqual([undefined, 'cnv_1']);
    },
  },
  {
    name: 'the draft of a stranger',
    cause: 'The page is reloaded without a proof of identity, and somebody else types a text.',
    outcome: 'The stored draft of the conversation’s owner stays.',
    page: { initScript: currentVisitor },
    async run(page, server) {
      await storeConversationOfAmal(page, server);
      await page.fill('draft of Amal');
      await become(page, null);
      const tab = await page.openTab();
      await tab.expectInput('');
      await tab.fill('draft of a stranger');
      await tab.reload();
      await tab.expectInput('draft of a stranger');
      await become(page, 'amal');
      await page.reload();
      await page.expectInput('draft of Amal');
    },
  },
  {
    name: 'the visitor changes in the page',
    cause: '`contact` is set to another visitor without a reload.',
    outcome: 'The conversation is erased at once.',
    page: { initScript: currentVisitor },
    async run(page, server) {
      await storeConversationOfAmal(page, server);
      await identify(page, person('badr'));
      await page.expectTranscript();
      await page.expectErased();
      await page.expectChatCalls(1);
    },
  },
  {
    name: 'the visitor changes during a turn',
    cause: '`contact` is set to another visitor before the first reply has arrived.',
    outcome: 'The other visitor sees neither the question nor the reply.',
    page: { initScript: withContact(person('amal')) },
    async run(page, server) {
      server.onChat(() => {});
      await page.send('secret of Amal');
      await server.waitForCalls(1);
      await identify(page, person('badr'));
      await page.expectTranscript();
      await page.expectErased();
      await page.expectChatCalls(1);
    },
  },
  {
    name: 'logout in every tab',
    cause: 'The visitor signs out in one of two tabs.',
    outcome: 'The conversation is erased in both tabs.',
    page: { initScript: currentVisitor },
    async run(page, server) {
      await storeConversationOfAmal(page, server);
      const tab = await page.openTab();
      await tab.expectTranscript('visitor: secret of Amal', 'assistant: Hello there');
      await tab.evaluate(() => document.querySelector('workspace-chat')!.logout());
      await tab.expectTranscript();
      await page.expectTranscript();
      await page.expectErased();
      await page.expectChatCalls(1);
    },
  },
  {
    name: 'another tab without an identity',
    cause: 'A visitor signs in in one of two tabs.',
    outcome: 'The other tab hides the transcript, since the conversation has an owner now.',
    async run(page, server) {
      server.onChat(reply(), reply('Again'));
      await page.send('Hi');
      await page.expectTranscript(...whole);
      const tab = await page.openTab();
      await tab.expectTranscript(...whole);
      await identify(page, person('amal'));
      await page.send('secret of Amal');
      await page.expectTranscript(...whole, 'visitor: secret of Amal', 'assistant: Again');
      await tab.expectTranscript();
      await page.expectChatCalls(2);
      await page.expectStored(
        ...storedWhole.slice(0, 2),
        'visitor confirmed: secret of Amal',
        'ai whole: Again',
        'credentials cnv_1',
      );
    },
  },
];
