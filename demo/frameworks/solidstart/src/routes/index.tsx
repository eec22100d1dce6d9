import { createSignal, onCleanup, onMount } from 'solid-js';
import type { WorkspaceChatElement } from 'workspace-chat';
import type {} from 'workspace-chat/solid';
import 'workspace-chat';
import { workspace } from '../workspace.ts';

const starters = ['Where is my order 4711?'];

const Home = () => {
  let chat!: WorkspaceChatElement;
  const [order, setOrder] = createSignal('');
  const [reply, setReply] = createSignal('');

  onMount(() => {
    const unregister = chat.registerTool<{ order_number: string }>({
      name: 'get_order_status',
      run: ({ order_number }) => {
        setOrder(order_number);
        return { order_number, status: 'shipped' };
      },
    });
    onCleanup(unregister);
  });

  return (
    <main>
      <h1>SolidStart</h1>
      <p>
        Asked for order: <output id="order">{order()}</output>
      </p>
      <p>
        Last reply: <output id="answer">{reply()}</output>
      </p>
      <workspace-chat
        ref={chat}
        base-url={workspace.baseUrl}
        publishable-key={workspace.publishableKey}
        agent-id={workspace.agentId}
        heading="Ask us"
        starters={starters}
        on:workspace-chat-message={({ message }) => setReply(message.content)}
      />
    </main>
  );
};

export default Home;
