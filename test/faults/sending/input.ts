/** Faults of the input: keys and clicks that must send a message only once. */
import type { FaultPage } from '../../support/pages/fault-page.ts';
import type { Fault } from '../../support/pages/fault.ts';
import { reply } from '../../support/servers/server-faults.ts';
import { whole, storedWhole } from '../expected.ts';

/** Sends “Hi” in a certain way. The message must arrive once. */
const onceFault = (name: string, cause: string, send: (page: FaultPage) => Promise<void>): Fault => ({
  name,
  cause,
  outcome: 'The message is sent once, and its reply is rendered once.',
  async run(page, server) {
    server.onChat(reply());
    await page.input.fill('Hi');
    await send(page);
    await page.expectTranscript(...whole);
    await page.expectStored(...storedWhole);
    await page.expectChatCalls(1);
  },
});

const sendTwice = async (page: FaultPage, how: string) =>
  page.element.evaluate((element, script) => {
    const root = element.shadowRoot!;
    const button = root.querySelector<HTMLElement>('button.send')!;
    const input = root.querySelector('textarea')!;
    const enter = () =>
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    for (const step of script) {
      if (step === 'c') button.click();
      else enter();
    }
  }, how);

export const inputFaults: Fault[] = [
  onceFault('double click', 'The button is clicked twice at once.', (page) => sendTwice(page, 'cc')),
  onceFault('a slower double click', 'The visitor double-clicks the button.', async (page) => {
    await page.element.locator('button.send').dblclick();
  }),
  onceFault('Enter twice', 'Enter is pressed twice at once, and then the button is clicked.', (page) =>
    sendTwice(page, 'eec'),
  ),
];
