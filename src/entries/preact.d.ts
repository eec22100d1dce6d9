/** Types `<workspace-chat>` in JSX for Preact. Put `import type {} from 'workspace-chat/preact'` into any file. */
import type { HTMLAttributes } from 'preact';
import type { WorkspaceChatElement } from '../workspace-chat/workspace-chat.ts';
import type { WorkspaceChatTemplateProps } from './framework-props.ts';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'workspace-chat': HTMLAttributes<WorkspaceChatElement> & WorkspaceChatTemplateProps;
    }
  }
}
