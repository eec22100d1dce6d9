import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { WorkspaceChatElement } from 'workspace-chat';
import type {} from 'workspace-chat/preact';
import 'workspace-chat';
import { workspace } from './workspace.ts';

const starters = ['Where is my order 4711?'];

const App = () => {
  const chat = useRef<WorkspaceChatElement>(null);
  const [order, setOrder] = useState('');
  const [reply, setReply] = useState('');

  // `registerTool` returns a function that unregisters the tool. The effect returns it as its cleanup function.
  useEffect(
    () =>
      chat.current!.registerTool<{ order_number: string }>({
        name: 'get_order_status',
        run: ({ order_number }) => {
          setOrder(order_number);
          return { order_number, status: 'shipped' };
        },
      }),
    [],
  );

  return (
    <main>
      <h1>Preact</h1>
      <p>
        Asked for order: <output id="order">{order}</output>
      </p>
      <p>
        Last reply: <output id="answer">{reply}</output>
      </p>
      <workspace-chat
        ref={chat}
        {...workspace}
        heading="Ask us"
        starters={starters}
        onworkspace-chat-message={({ message }) => setReply(message.content)}
      />
    </main>
  );
};

render(<App />, document.querySelector('#app')!);
