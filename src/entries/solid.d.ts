/**
 * Types `<workspace-chat>` in JSX for Solid. Put `import type {} from 'workspace-chat/solid'` into any file.
 *
 * Solid sets expressions as properties, after it has changed `base-url` to `baseUrl`, and `baseUrl` to `baseurl`. So names of
 * several words are typed only with hyphens, and in camelCase only after `prop:`.
 */
import type { JSX } from 'solid-js';
import type { WorkspaceChatElement } from '../workspace-chat/workspace-chat.ts';
import type {
  WorkspaceChatAttributes,
  WorkspaceChatProperties,
  WorkspaceChatSolidNamespaces,
} from './framework-props.ts';

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'workspace-chat': JSX.HTMLAttributes<WorkspaceChatElement> &
        WorkspaceChatAttributes &
        Pick<WorkspaceChatProperties, 'contact' | 'strings'> &
        WorkspaceChatSolidNamespaces;
    }
  }
}
