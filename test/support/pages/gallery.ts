/** Shows the gallery of the demo. */
import type { Page } from '@playwright/test';

/** Whether every scene is complete: its messages, its blocks, the parts that are loaded on demand, and the page over the conversation. */
const isComplete = `(() => {
  const chats = [...document.querySelectorAll('gallery-chat')];
  const hasContent = ({ shadowRoot }) =>
    shadowRoot.querySelector('.message, .welcome') &&
    !shadowRoot.querySelector(':not(:defined), .sheet-body [role=status]:not(:empty)') &&
    [...shadowRoot.querySelectorAll('workspace-chat-blocks')].every((blocks) => blocks.textContent.trim());
  const hasSheet = (chat) => !chat.closest('#panel-mail, #panel-history') || chat.shadowRoot.querySelector('.sheet-body');
  return chats.length > 0 && chats.every((chat) => hasContent(chat) && hasSheet(chat));
})()`;

/** Opens the gallery with a query, and waits until every scene is complete. Its pictures of products are empty. */
export const showGallery = async (page: Page, demoUrl: string, query: string): Promise<void> => {
  await page.route('https://images.example/**', (route) => route.fulfill({ contentType: 'image/png', body: '' }));
  await page.goto(`${demoUrl}gallery.html${query}`);
  await page.waitForFunction(isComplete);
};
