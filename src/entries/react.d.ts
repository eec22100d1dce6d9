/** Types `<workspace-chat>` in JSX for React 19. Put `import type {} from 'workspace-chat/react'` into any file. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { WorkspaceChatElement } from '../workspace-chat/workspace-chat.ts';
import type { WorkspaceChatAttributes, WorkspaceChatListeners, WorkspaceChatProperties } from './framework-props.ts';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'workspace-chat': DetailedHTMLProps<HTMLAttributes<WorkspaceChatElement>, WorkspaceChatElement> &
        WorkspaceChatProperties &
        WorkspaceChatAttributes &
        WorkspaceChatListeners;
    }
  }
}
