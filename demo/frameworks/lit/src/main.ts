import { html, LitElement } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import type { WorkspaceChatElement, WorkspaceChatMessageEvent } from 'workspace-chat';
import 'workspace-chat';
import { workspace } from './workspace.ts';

const starters = ['Where is my order 4711?'];

class App extends LitElement {
  static override readonly properties = { order: { state: true }, reply: { state: true } };

  declare order: string;
  declare reply: string;
  readonly #chat = createRef<WorkspaceChatElement>();

  constructor() {
    super();
    this.order = '';
    this.reply = '';
  }

  // The chat lives as long as this element, so the tool is never unregistered.
  override firstUpdated(): void {
    this.#chat.value!.registerTool<{ order_number: string }>({
      name: 'get_order_status',
      run: ({ order_number }) => {
        this.order = order_number;
        return { order_number, status: 'shipped' };
      },
    });
  }

  override render() {
    return html`
      <main>
        <h1>Lit</h1>
        <p>Asked for order: <output id="order">${this.order}</output></p>
        <p>Last reply: <output id="answer">${this.reply}</output></p>
        <workspace-chat
          ${ref(this.#chat)}
          base-url=${workspace.baseUrl}
          publishable-key=${workspace.publishableKey}
          agent-id=${workspace.agentId}
          heading="Ask us"
          .starters=${starters}
          @workspace-chat-message=${({ message }: WorkspaceChatMessageEvent) => (this.reply = message.content)}
        ></workspace-chat>
      </main>
    `;
  }
}

customElements.define('support-app', App);
