/** Types `<workspace-chat>` in templates of Vue 3. Put `import type {} from 'workspace-chat/vue'` into any file. */
import type { HTMLAttributes } from 'vue';
import type { WorkspaceChatElement } from '../workspace-chat/workspace-chat.ts';
import type { WorkspaceChatProperties, WorkspaceChatVueListeners } from './framework-props.ts';

declare module 'vue' {
  interface GlobalComponents {
    'workspace-chat': new () => WorkspaceChatElement & {
      $props: HTMLAttributes & WorkspaceChatProperties & WorkspaceChatVueListeners;
    };
  }
}
