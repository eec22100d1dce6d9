import { useEffect, useRef, useState } from 'react';
import { WorkspaceChat, type WorkspaceChatElement } from 'workspace-chat/react';
import { workspace } from './workspace.ts';

const starters = ['Where is my order 4711?'];

const Home = () => {
  const chat = useRef<WorkspaceChatElement>(null);
  const [order, setOrder] = useState('');
  const [reply, setReply] = useState('');

  // `registerTool` returns a function that unregisters the tool. The effect returns it as its cleanup function.
  useEffect(
    () =>
      chat.current?.registerTool<{ order_number: string }>({
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
      <h1>React Router</h1>
      <p>
        Asked for order: <output id="order">{order}</output>
      </p>
      <p>
        Last reply: <output id="answer">{reply}</output>
      </p>
      <WorkspaceChat
        ref={chat}
        {...workspace}
        heading="Ask us"
        starters={starters}
        onMessage={({ message }) => setReply(message.content)}
      />
    </main>
  );
};

export default Home;
