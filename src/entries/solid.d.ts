/** Types `<workspace-chat>` in JSX for Solid. Put `import type {} from 'workspace-chat/solid'` into any file. */
import type { JSX } from 'solid-js';
import type { WorkspaceChatElement } from '../workspace-chat/workspace-chat.ts';
import type { WorkspaceChatAttributes, WorkspaceChatSolidNamespaces } from './framework-props.ts';

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'workspace-chat': JSX.HTMLAttributes<WorkspaceChatElement> &
        WorkspaceChatAttributes &
        WorkspaceChatSolidNamespaces;
    }
  }
}
