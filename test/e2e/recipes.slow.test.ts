/** Runs the code of recipes as their pages show it. Only the values that stand for the reader's own are replaced. */
import { readFile } from 'node:fs/promises';
import type { WorkspaceChatElement } from '../../src/element.ts';
import { poll } from '../support/poll.ts';
import type { TestService } from '../support/fixtures.ts';
import { expect, it, launcherOf, queueStub } from './embed-fixtures.ts';

/** Returns a code block of a recipe, with the values of the test's service. */
const codeOf = async (recipe: string, index: number, service: TestService): Promise<string> => {
  const text = await readFile(`docs/recipes/${recipe}.md`, 'utf8');
  const blocks = Array.from(text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm), ([, code]) => code!);
  const { baseUrl, publishableKey, agentId } = service.settings;
  return blocks[index]!.replaceAll('https://cdn.example/', '/cdn/')
    .replaceAll('https://api.example/api/v2', baseUrl)
    .replaceAll('https://api.example', new URL(baseUrl).origin)
    .replaceAll('svc_pk_…', publishableKey)
    .replaceAll(/agt_(?:…|\w+)/g, agentId)
    .replaceAll('nonce-…', 'nonce-n')
    .replaceAll('nonce="…"', 'nonce="n"');
};

it.describe('the recipes', () => {
  it('“Open the chat from a link”: a click on the link opens the chat and stays on the page', async ({
    visit,
    service,
  }) => {
    const { page, widget, server } = await visit(await codeOf('open-from-a-link', 0, service));
    await expect(launcherOf(page)).toBeVisible();
    await page.getByRole('link', { name: 'Help' }).click();
    await expect(widget.input).toBeVisible();
    expect(page.url()).toBe(new URL('#chat', server.url).href);
  });

  it('“Open the chat from a link”: the text of an address is a draft, and is not sent', async ({
    visit,
    service,
    tag,
  }) => {
    const script = await codeOf('open-from-a-link', 1, service);
    const { widget } = await visit(script + tag(), { path: '/?chat=Where%20is%20my%20order%3F' });
    await expect(widget.input).toHaveValue('Where is my order?');
    await expect(widget.visitorMessages).toHaveCount(0);
  });

  it('“Open the chat from a link”: a button sends a question', async ({ visit, service, tag }) => {
    const code = await codeOf('open-from-a-link', 2, service);
    const button = '<button class="ask-about-size">Size</button>';
    const { page, widget } = await visit(`${button}${queueStub}<script>${code}</script>${tag()}`);
    await page.getByRole('button', { name: 'Size' }).click();
    await expect(widget.visitorMessages).toHaveText('Which size fits me?');
    await expect(widget.completeReplies).toHaveCount(1);
  });

  it('“Start the conversation yourself”: the chat opens once, with its greeting and suggestions', async ({
    visit,
    service,
  }) => {
    const code = await codeOf('proactive', 0, service);
    expect(code).toContain('20_000');
    const { page, widget } = await visit(code.replace('20_000', '200'));
    await expect(widget.input).toBeVisible();
    await expect(page.getByText('Do you need help with your order?')).toBeVisible();
    await expect(page.getByRole('button', { name: 'How do I return it?' })).toBeVisible();
    await page.locator('workspace-chat').evaluate((chat: WorkspaceChatElement) => chat.hide());
    await page.reload();
    await expect(launcherOf(page)).toBeVisible();
    expect(await page.evaluate(() => sessionStorage.getItem('chat-offered'))).toBe('yes');
    await expect(widget.input).toBeHidden();
  });

  it('“Consent managers”: the chat follows the consent, also when the code is called twice', async ({
    visit,
    service,
  }) => {
    const { page, widget } = await visit(await codeOf('consent', 6, service));
    await page.evaluate('removeChat()');
    await page.evaluate('addChat(); addChat()');
    await expect(launcherOf(page)).toHaveCount(1);
    await widget.open();
    expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);
    // A chat that is open would open again by itself.
    await page.getByRole('button', { name: 'Close chat' }).first().click();
    await page.evaluate('removeChat()');
    await expect(page.locator('workspace-chat')).toHaveCount(0);
    await page.evaluate('addChat()');
    await widget.open();
    await expect(widget.visitorMessages).toHaveCount(0);
  });

  it('“Consent and consent managers”: the chat asks, and the page gets the record', async ({ visit, service }) => {
    const [tag, records] = [await codeOf('consent', 0, service), await codeOf('consent', 1, service)];
    const recorder = 'globalThis.records = []; navigator.sendBeacon = (url, text) => records.push(JSON.parse(text));';
    const { page, widget } = await visit(`${queueStub}<script>${recorder}${records}</script>${tag}`);
    await launcherOf(page).click();
    await expect(page.getByRole('link', { name: 'privacy policy' })).toHaveAttribute('href', /shop\.example\/privacy/);
    await expect(widget.input).toHaveCount(0);
    await page.getByRole('button', { name: 'I agree' }).click();
    expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);
    expect(await page.evaluate('records')).toMatchObject([{ version: '1', text: /privacy policy/ }]);
  });

  it('“Consent and consent managers”: the dialog of the page lets messages through, and stops them', async ({
    visit,
    tag,
  }) => {
    const { page, widget } = await visit(queueStub + tag('data-consent="false" data-open'));
    const note = page.getByText('privacy settings of this site');
    await expect(note).toBeVisible();
    await expect(widget.input).toHaveCount(0);
    await page.evaluate(`WorkspaceChat('consent', true)`);
    expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);
    await page.evaluate(`WorkspaceChat('consent', false)`);
    await expect(note).toBeVisible();
    await expect(widget.visitorMessages).toHaveCount(0);
    await page.evaluate(`WorkspaceChat('configure', { consent: true })`);
    await expect(widget.input).toBeVisible();
    await page.evaluate(`WorkspaceChat('configure', { consent: false })`);
    await expect(note).toBeVisible();
  });

  it('“Things to read, and suggestions”: pages before the first message, and texts after a reply', async ({
    visit,
    service,
  }) => {
    const [tag, suggest] = [await codeOf('suggestions', 0, service), await codeOf('suggestions', 2, service)];
    const { page, widget } = await visit(`${queueStub}<script>${suggest}</script>${tag}`);
    await widget.open();
    await expect(page.getByRole('link', { name: /Delivery/ })).toHaveAttribute('href', 'https://shop.example/delivery');
    await widget.ask('When are you open on Friday?');
    await expect(page.getByRole('link', { name: /Delivery/ })).toHaveCount(0);
    await page.getByRole('button', { name: 'Talk to a person' }).click();
    await expect(widget.visitorMessages).toHaveCount(2);
  });

  it('“Ratings”: the page gets the rating and the comment when the team has ended the conversation', async ({
    visit,
    service,
  }) => {
    const ratings: unknown[] = [];
    const { page, widget } = await visit(await codeOf('ratings', 0, service), {
      prepare: async (each) => {
        await each.route('**/host/rating', (route) => {
          ratings.push(route.request().postDataJSON());
          return route.fulfill({ status: 204 });
        });
        await each.route('**/host/replies?*', (route) => {
          const id = new URL(route.request().url()).searchParams.get('conversation_id');
          const data = JSON.stringify({ conversation_id: id, state: 'closed' });
          return route.fulfill({ contentType: 'text/event-stream', body: `event: conversation\ndata: ${data}\n\n` });
        });
      },
    });
    await widget.open();
    await widget.ask('When are you open on Friday?');
    const question = page.getByRole('group', { name: 'How was this conversation?' });
    await question.getByRole('button', { name: 'Bad' }).click();
    await question.getByRole('textbox').fill('Too slow');
    await question.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByText('Thank you for your rating.')).toBeVisible();
    await poll(() => ratings).toMatchObject([
      { rating: -1, comment: '' },
      { rating: -1, comment: 'Too slow' },
    ]);
  });

  it('“Send the conversation by e-mail”: the request has the proof, and 403 is explained', async ({
    visit,
    service,
  }) => {
    const requests: { body: unknown; proof: string | undefined }[] = [];
    let status = 403;
    const { page, widget } = await visit(await codeOf('transcript', 0, service), {
      allowedErrors: [/403/],
      prepare: async (each) => {
        await each.route('**/host/replies?*', (route) => route.fulfill({ status: 204 }));
        await each.route('**/host/transcript', (route) => {
          const request = route.request();
          requests.push({ body: request.postDataJSON(), proof: request.headers()['x-conversation-proof'] });
          return route.fulfill({ status });
        });
      },
    });
    await widget.open();
    await widget.ask('When are you open on Friday?');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Send by e-mail' }).click();
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('lina@example.com');
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await send.click();
    await expect(page.getByText('It can only be sent to the address of your account.')).toBeVisible();
    status = 204;
    await send.click();
    await expect(page.getByText(/The conversation was sent to .*lina@example\.com/)).toBeVisible();
    expect(requests).toMatchObject([
      { body: { email: 'lina@example.com', language: 'en' }, proof: expect.stringMatching(/^[\w-]{43}$/) },
      {},
    ]);
  });

  it('“Past conversations of a customer”: the backend is asked with cookies, and its conversations can be read', async ({
    visit,
    service,
  }) => {
    const cookies: (string | undefined)[] = [];
    const { page, widget } = await visit(await codeOf('past-conversations', 0, service), {
      prepare: async (each) => {
        await each.addInitScript(`document.cookie = 'session=lina'`);
        await each.route('**/host/history*', async (route) => {
          cookies.push(
            await route
              .request()
              .headerValue('cookie')
              .then((value) => value ?? undefined),
          );
          const isOne = route.request().url().includes('conversation_id=cnv_1');
          const message = { id: 'msg_1', role: 'assistant', content: 'It is in the kiln.' };
          const conversation = { id: 'cnv_1', started_at: '2026-01-05T09:00:00Z', text: 'Where is my order?' };
          return route.fulfill({ json: isOne ? { messages: [message] } : { conversations: [conversation] } });
        });
      },
    });
    await widget.open();
    await page.getByRole('button', { name: 'Past conversations' }).click();
    await page.getByRole('button', { name: /Where is my order/ }).click();
    await expect(page.getByText('It is in the kiln.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(widget.input).toBeFocused();
    expect(cookies).toEqual(['session=lina', 'session=lina']);
  });

  it('“Measure with your analytics”: events reach the analytics without a text of the visitor', async ({
    visit,
    service,
    tag,
  }) => {
    const code = await codeOf('analytics', 0, service);
    const recorder = 'globalThis.calls = []; const gtag = (...values) => calls.push(values);';
    const { page, widget } = await visit(`${queueStub}<script>${recorder}${code}</script>${tag()}`);
    await widget.open();
    await widget.ask('When are you open on Friday?');
    const calls = await page.evaluate<[string, string, object?][]>('calls');
    expect(calls.map(([, name]) => name)).toEqual(
      expect.arrayContaining(['chat_open', 'chat_conversation', 'chat_reply']),
    );
    expect(JSON.stringify(calls)).not.toContain('Friday');
  });

  it('“Several agents”: two elements are two chats', async ({ visit, service }) => {
    const style = '<style>workspace-chat[mode=inline] { block-size: 400px }</style>';
    const { page } = await visit(style + (await codeOf('several-agents', 2, service)));
    await expect(page.getByRole('region', { name: 'Sales' })).toBeVisible();
    await page.locator('workspace-chat .launcher').click();
    await expect(page.getByRole('dialog', { name: 'Support' })).toBeVisible();
  });

  it('“A strict Content-Security-Policy”: the chat replies, and the policy reports nothing', async ({
    visit,
    service,
  }) => {
    const policy = (await codeOf('strict-csp', 0, service)).replaceAll(/\s+/g, ' ').trim();
    const { page, widget } = await visit(await codeOf('strict-csp', 1, service), {
      headers: { 'content-security-policy': policy },
      prepare: (each) =>
        each.addInitScript(`globalThis.violations = [];
          addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective));`),
    });
    await widget.open();
    expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);
    await poll(() => page.evaluate('violations')).toEqual([]);
  });
});
