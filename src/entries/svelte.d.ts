/** Types `<workspace-chat>` in templates of Svelte 5. Put `import type {} from 'workspace-chat/svelte'` into any file. */
import type { HTMLAttributes } from 'svelte/elements';
import type { WorkspaceChatElement } from '../workspace-chat/workspace-chat.ts';
import type { WorkspaceChatTemplateProps } from './framework-props.ts';

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'workspace-chat': HTMLAttributes<WorkspaceChatElement> & WorkspaceChatTemplateProps;
  }
}
