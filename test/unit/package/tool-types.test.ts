/** Compiles calls of `registerTool` and `registerBlock` that a page writes in TypeScript. */
import { it } from 'node:test';
import { createConversation } from '../../../src/entries/client.ts';
import type { StandardSchema } from '../../../src/chat/tools/client-tool.ts';
import type { WorkspaceChatElement } from '../../../src/element.ts';

interface Order {
  order_number: string;
}
declare const schema: StandardSchema<Order>;
declare const cancel: (orderNumber: string) => void;

/** Never called: the compiler checks it. */
const calls = (chat: WorkspaceChatElement, conversation: ReturnType<typeof createConversation>) => {
  for (const { registerTool } of [chat, conversation]) {
    registerTool({ name: 'a', confirm: ({ id }) => `Cancel ${String(id)}?`, run: ({ id }) => ({ id }) });
    registerTool({
      name: 'b',
      parameters: schema,
      confirm: ({ order_number }) => `Cancel ${order_number.trim()}?`,
      run: ({ order_number }) => cancel(order_number),
    });
    registerTool({ name: 'c', run: (order: Order) => cancel(order.order_number) });
    registerTool<Order>({ name: 'd', run: ({ order_number }) => cancel(order_number) });
    // @ts-expect-error The schema has no such argument.
    registerTool({ name: 'e', parameters: schema, run: ({ id }) => cancel(id) });
  }
  chat.registerBlock('weather', (block) => `${String(block.city)}: ${String(block.temperature)} °C`);
};

it('The types of tools and blocks are those of the schema, or else JSON', () => void calls);
