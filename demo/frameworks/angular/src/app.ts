import {
  afterNextRender,
  Component,
  CUSTOM_ELEMENTS_SCHEMA,
  DestroyRef,
  type ElementRef,
  inject,
  signal,
  viewChild,
} from '@angular/core';
import type { WorkspaceChatElement, WorkspaceChatMessageEvent } from 'workspace-chat';
import 'workspace-chat';
import { workspace } from './workspace';

@Component({
  selector: 'app-root',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main>
      <h1>Angular</h1>
      <p>
        Asked for order: <output id="order">{{ order() }}</output>
      </p>
      <p>
        Last reply: <output id="answer">{{ reply() }}</output>
      </p>
      <workspace-chat
        #chat
        [attr.base-url]="workspace.baseUrl"
        [attr.publishable-key]="workspace.publishableKey"
        [attr.agent-id]="workspace.agentId"
        heading="Ask us"
        [starters]="starters"
        (workspace-chat-message)="onMessage($event)"
      ></workspace-chat>
    </main>
  `,
})
export class App {
  protected readonly workspace = workspace;
  protected readonly starters = ['Where is my order 4711?'];
  protected readonly order = signal('');
  protected readonly reply = signal('');
  private readonly chat = viewChild.required<ElementRef<WorkspaceChatElement>>('chat');

  constructor() {
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      const unregister = this.chat().nativeElement.registerTool<{ order_number: string }>({
        name: 'get_order_status',
        run: ({ order_number }) => {
          this.order.set(order_number);
          return { order_number, status: 'shipped' };
        },
      });
      destroyed.onDestroy(unregister);
    });
  }

  protected onMessage({ message }: WorkspaceChatMessageEvent): void {
    this.reply.set(message.content);
  }
}
