import { it } from '../support/fixtures.ts';
import { engines, type Engine } from '../support/browsers/engines.ts';
import { poll } from '../support/poll.ts';

for (const [name, open] of Object.entries(engines) as [Engine, (typeof engines)[Engine]][]) {
  it(`${name} sends a message, renders the reply, and restores the transcript after a reload`, async ({
    serve,
    service,
    cdnBuild,
  }) => {
    const driver = await open();
    it.skip(driver === null, `${name} is not installed, and installing it needs root and apt.`);
    try {
      const { baseUrl, publishableKey, agentId } = service.settings;
      const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title><body><p>Words</p>
        <script async src="/cdn/embed.js" data-base-url="${baseUrl}" data-publishable-key="${publishableKey}" data-agent-id="${agentId}"></script>`;
      const { url } = await serve({ '/': page }, { '/cdn/': cdnBuild.folder });
      const tab = await driver!.openTab();
      const texts = (author: 'visitor' | 'agent', part: string) =>
        tab.evaluate<string[]>(
          `Array.from(document.querySelector('workspace-chat')?.shadowRoot.querySelectorAll('.message.${author} ${part}') ?? [], ({ textContent }) => textContent.trim())`,
        );
      await tab.goto(url);
      await tab.click({ name: 'Open chat' });
      await tab.type('textarea', 'When are you open on Friday?\n');
      await poll(() => texts('visitor', '.bubble')).toEqual(['When are you open on Friday?']);
      await poll(async () => (await texts('agent', '.text')).join()).toMatch(/16:00/);
      await poll(() => tab.evaluate(`document.querySelector('workspace-chat').busy`)).toBe(false);
      const replies = await texts('agent', '.text');
      await tab.reload();
      await poll(() => texts('visitor', '.bubble')).toEqual(['When are you open on Friday?']);
      await poll(() => texts('agent', '.text')).toEqual(replies);
      await tab.close();
    } finally {
      await driver?.close();
    }
  });
}
