import { launchOptions } from '../support/browsers/chromium.ts';
import { attributesOf, expect, it as base } from '../support/fixtures.ts';
import { Widget } from '../support/pages/visit.ts';

/** The page's own tool, as WebMCP takes it. */
const pageTool = `document.modelContext.registerTool({
  name: 'get_order_status',
  description: 'The status of an order',
  inputSchema: { type: 'object', properties: { order_number: { type: 'string' } }, required: ['order_number'] },
  execute: ({ order_number }) => {
    window.runs = (window.runs ?? 0) + 1;
    return { order_number, status: 'Shipped with Aramex' };
  },
});`;

const it = base.extend<{
  /** Opens a page with the element under a policy without `unsafe-eval`. */
  visit(attributes: string, script: string): Promise<Widget>;
}>({
  visit: async ({ page, serve, service, cdnBuild }, use) => {
    await use(async (attributes, script) => {
      const html = `<!doctype html><html lang="en"><title>Page</title>
        <script nonce="n">${script}</script>
        <script type="module" nonce="n" src="/one/workspace-chat.js"></script>
        <workspace-chat ${attributesOf(service.settings)} ${attributes}></workspace-chat>`;
      const policy = `default-src 'none'; script-src 'nonce-n' 'strict-dynamic'; connect-src ${service.url}; require-trusted-types-for 'script'; trusted-types lit-html`;
      const folders = { '/one/': cdnBuild.folder };
      const { url } = await serve({ '/': html }, folders, { 'content-security-policy': policy });
      await page.goto(url);
      return new Widget(page);
    });
  },
});

/** Registers a tool with the element. */
const register = (members: string) => `customElements.whenDefined('workspace-chat').then(() =>
  document.querySelector('workspace-chat').registerTool({ name: 'add_to_cart', ${members} }));`;

/** Calls a tool as the browser's agent would, as soon as it is registered. */
const callAsAgent = `(async (args) => {
  const { modelContext } = document;
  for (;;) {
    const tool = (await modelContext.getTools()).find(({ name }) => name === 'add_to_cart');
    if (tool) return modelContext.executeTool(tool, args).catch(({ name }) => name);
    await new Promise((resolve) => modelContext.addEventListener('toolchange', resolve, { once: true }));
  }
})`;

it.use({ launchOptions: launchOptions('--enable-experimental-web-platform-features') });

it.describe('on a page with WebMCP', () => {
  it('the agent calls a tool of the page after the visitor has allowed it', async ({ visit, page }) => {
    const widget = await visit('page-tools', pageTool);
    await widget.open();
    await widget.input.fill('Where is my order 1001?');
    await widget.input.press('Enter');
    await expect(page.locator('workspace-chat .tool-prompt')).toContainText(
      'May the assistant use “The status of an order”',
    );
    await expect(page.locator('workspace-chat .tool-prompt dd')).toHaveText('1001');
    expect(await page.evaluate('window.runs')).toBeUndefined();
    await expect(async () => {
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await expect(page.locator('workspace-chat .tool-prompt')).toHaveCount(0, { timeout: 500 });
    }).toPass();
    await expect(widget.completeReplies).toHaveCount(1);
    await expect(widget.completeReplies).toContainText('Shipped with Aramex');
    expect(await page.evaluate('window.runs')).toBe(1);
  });

  it('the page’s tools are not offered without `page-tools`', async ({ visit, page }) => {
    const widget = await visit('', pageTool);
    await widget.open();
    const request = page.waitForRequest(/\/chat/);
    await widget.ask('Where is my order 1001?');
    expect((await request).postDataJSON()).not.toHaveProperty('client_tools');
    expect(await page.evaluate('window.runs')).toBeUndefined();
  });

  it('another agent calls a tool of the element, and the visitor is asked in a dialog', async ({
    visit,
    page,
    allowedErrors,
  }) => {
    // Chromium logs the refusal.
    allowedErrors.push(/^console WebMCP tool execution failed: Uncaught Error: refused_by_visitor /);
    await visit('', register('confirm: ({ sku }) => `Add ${sku}?`, run: ({ sku }) => ({ added: sku })'));
    const questions: string[] = [];
    page.on('dialog', async (dialog) => {
      questions.push(dialog.message());
      await (questions.length === 1 ? dialog.dismiss() : dialog.accept());
    });
    expect(await page.evaluate(`${callAsAgent}({ sku: 'tea' })`)).toBe('UnknownError');
    expect(await page.evaluate(`${callAsAgent}({ sku: 'tea' })`)).toBe('{"added":"tea"}');
    expect(questions).toEqual(['Add tea?\nsku: tea', 'Add tea?\nsku: tea']);
  });

  it('a removed element takes its tools out of the page', { tag: '@slow' }, async ({ visit, page }) => {
    await visit('', register('run: () => ({})'));
    expect(await page.evaluate(`${callAsAgent}({})`)).toBe('{}');
    await page.evaluate(`document.querySelector('workspace-chat').remove()`);
    await expect.poll(() => page.evaluate('document.modelContext.getTools().then(({ length }) => length)')).toBe(0);
  });
});

it('a page without WebMCP loads no code for it', async ({ visit, page }) => {
  await page.addInitScript('delete Document.prototype.modelContext');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const widget = await visit('page-tools', register('run: () => ({})'));
  await widget.open();
  await widget.ask('When are you open?');
  expect(requests.filter((url) => url.includes('web-mcp'))).toEqual([]);
});
