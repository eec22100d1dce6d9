import { expect, waitUntil } from '@open-wc/testing';
import { hydrateLaunchers, renderLauncher } from '../../src/entries/ssr.ts';
import type { WorkspaceChatElement } from '../../src/element.ts';
import '../../src/index.ts';

describe('A launcher from the server', () => {
  let chat: WorkspaceChatElement;

  beforeEach(() => {
    chat = document.createElement('workspace-chat');
    // A script that replaces the page's content creates no shadow root from the template.
    chat.innerHTML = renderLauncher({ nonce: null });
    document.body.append(chat);
  });

  afterEach(() => chat.remove());

  it('does not open the chat by itself where a script has added it to the page', async () => {
    hydrateLaunchers();
    await waitUntil(() => !chat.querySelector('[data-workspace-chat-launcher]'));
    await chat.updateComplete;
    expect(chat.open).to.equal(false);
  });

  it('disappears also in a browser without popovers', async () => {
    const launcher = chat.querySelector('[data-workspace-chat-launcher]')!;
    const root = launcher.attachShadow({ mode: 'open' });
    root.querySelector = (selector: string) =>
      ShadowRoot.prototype.querySelector.call(root, selector.replace('popover-open', 'unknown'));
    hydrateLaunchers();
    await waitUntil(() => !launcher.isConnected);
    expect(chat.open).to.equal(false);
  });
});
