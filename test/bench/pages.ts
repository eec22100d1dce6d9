/** The pages that are compared: ours, and what else a site could use. All talk to the same server. */
const head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title><body>';

/** Reads the answer's stream and calls `draw` with the whole text, as `when` decides. */
const reader = `
  const read = async (length, onPiece) => {
    const response = await fetch('/api/v2/agents/a/chat?length=' + length, { method: 'POST', body: '{"stream":true}' });
    const body = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await body.read();
      if (done) return;
      const events = (rest + value).split('\\n\\n');
      rest = events.pop();
      for (const event of events) {
        const data = event.split('data: ')[1];
        if (event.includes('event: delta')) onPiece(JSON.parse(data).text);
      }
    }
  };
  const frame = () => new Promise(requestAnimationFrame);
`;

export const plainPage = `${head}<div id="chat" style="width:360px;height:600px;overflow:auto"></div><script type="module">
  ${reader}
  window.stream = async (length) => {
    const chat = document.querySelector('#chat');
    let text = '', drawn = 0, isOver = false;
    const drawing = (async () => {
      while (!isOver || drawn < text.length) {
        await frame();
        const parts = text.slice(drawn).split('\\n\\n');
        drawn = text.length;
        parts.forEach((part, index) => {
          if (index > 0 || !chat.lastChild) chat.append(document.createElement('p'));
          chat.lastChild.append(part);
        });
        chat.scrollTop = chat.scrollHeight;
      }
    })();
    await read(length, (piece) => { text += piece; });
    isOver = true;
    await drawing;
    await frame();
  };
</script>`;

export const markedPage = `${head}<div id="chat" style="width:360px;height:600px;overflow:auto"></div><script type="module">
  import { marked } from '/node_modules/marked/lib/marked.esm.js';
  import DOMPurify from '/node_modules/dompurify/dist/purify.es.mjs';
  ${reader}
  window.stream = async (length) => {
    const chat = document.querySelector('#chat');
    let text = '';
    await read(length, (piece) => {
      text += piece;
      chat.innerHTML = DOMPurify.sanitize(marked.parse(text));
      chat.scrollTop = chat.scrollHeight;
    });
    await frame();
  };
</script>`;

export const deepChatPage = `${head}<script type="module">
  import '/node_modules/deep-chat/dist/deepChat.bundle.js';
  ${reader}
  await customElements.whenDefined('deep-chat');
  const mount = (history) => {
    const chat = document.createElement('deep-chat');
    chat.style.width = '360px';
    chat.style.height = '600px';
    chat.history = history;
    chat.connect = {
      stream: true,
      handler: async (body, signals) => {
        signals.onOpen();
        await read(window.answerLength, (text) => signals.onResponse({ text }));
        signals.onClose();
        window.isAnswered = true;
      },
    };
    document.body.append(chat);
    return chat;
  };
  const painted = async (chat, count) => {
    while ((chat.shadowRoot?.querySelectorAll('.message-bubble').length ?? 0) < count) await frame();
    await frame();
    await frame();
  };
  let chat;
  window.restore = async (history) => {
    chat = mount(history.map(({ role, text }) => ({ role: role === 'user' ? 'user' : 'ai', text })));
    await painted(chat, history.length);
  };
  window.stream = async (length) => {
    chat ??= mount([]);
    await painted(chat, 0);
    window.answerLength = length;
    window.isAnswered = false;
    chat.submitUserMessage({ text: 'Go on' });
    while (!window.isAnswered) await frame();
    await frame();
  };
</script>`;

export const ownPage = `${head}<script type="module">
  import '/own/workspace-chat.js';
  const frame = () => new Promise(requestAnimationFrame);
  const attributes = { 'base-url': '/api/v2', 'publishable-key': 'svc_pk_bench', 'agent-id': 'a', open: '' };
  let chat;
  const mount = () => {
    chat = document.createElement('workspace-chat');
    for (const [name, value] of Object.entries(attributes)) chat.setAttribute(name, value);
    document.body.append(chat);
  };
  window.restore = async (history) => {
    mount();
    while (!chat.shadowRoot.querySelector('workspace-chat-message')) await frame();
    await frame();
    await frame();
  };
  window.settled = async (count) => {
    while (chat.shadowRoot.querySelectorAll('workspace-chat-message').length < count) await frame();
  };
  window.stream = async (length) => {
    if (!chat) mount();
    while (!chat.shadowRoot.querySelector('textarea')) await frame();
    await fetch('/length?' + length);
    await chat.send('Go on');
    await frame();
  };
  window.reset = () => chat.reset();
</script>`;
