import { useState, useSyncExternalStore, type SyntheticEvent } from 'react';
import { createRoot } from 'react-dom/client';
import { createConversation } from 'workspace-chat/client';
import { workspace } from './workspace.ts';

const conversation = createConversation(workspace);

const Chat = () => {
  const { messages, turn } = useSyncExternalStore(conversation.store.subscribe, () => conversation.store.state);
  const [text, setText] = useState('');
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    void conversation.send(text);
    setText('');
  };
  return (
    <>
      <ol>
        {messages.map((message) =>
          message.role === 'notice' ? null : <li key={message.key} className={message.role} children={message.text} />,
        )}
        {'reply' in turn && <li key={turn.reply.key} className="assistant live" children={turn.reply.text} />}
        {turn.status === 'failed' && <li className="problem">This message was not sent.</li>}
      </ol>
      <form onSubmit={send}>
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button>Send</button>
        <button
          type="button"
          name="stop"
          disabled={!conversation.busy}
          onClick={() => conversation.stop()}
          children="Stop"
        />
      </form>
    </>
  );
};

createRoot(document.querySelector('#app')!).render(<Chat />);
