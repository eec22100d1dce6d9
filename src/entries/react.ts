/**
 * `workspace-chat/react`: the element as a component for React 18 and 19, on the server as well, and the types of
 * `<workspace-chat>` in JSX.
 */
'use client';
import {
  createElement,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type DetailedHTMLProps,
  type HTMLAttributes,
} from 'react';
import { define } from '../workspace-chat/define.ts';
import type { WorkspaceChatElement } from '../workspace-chat/workspace-chat.ts';
import { attributesOf, ElementBinding, splitProps } from './element-binding.ts';
import type { WorkspaceChatHandlers, WorkspaceChatProperties, WorkspaceChatTemplateProps } from './framework-props.ts';

export type * from '../element.ts';

type Required = 'baseUrl' | 'publishableKey' | 'agentId';

/** The props of the component: the properties of the element, a handler for each event, and those of any HTML element. */
export interface WorkspaceChatProps
  extends
    Omit<HTMLAttributes<WorkspaceChatElement>, keyof WorkspaceChatProperties | keyof WorkspaceChatHandlers>,
    Omit<WorkspaceChatProperties, Required>,
    Pick<WorkspaceChatElement, Required>,
    WorkspaceChatHandlers {}

// React 18 warns about layout effects on the server, where no effect runs.
const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * A chat with one of a workspace's agents. Where the chat cannot run, the ref is null, or an element whose methods do nothing.
 *
 * @example
 * <WorkspaceChat
 *   baseUrl="https://api.example/api/v2"
 *   publishableKey="svc_pk_…"
 *   agentId="agt_…"
 *   onMessage={({ message }) => console.log(message.content)}
 * />
 */
export const WorkspaceChat = forwardRef<WorkspaceChatElement, WorkspaceChatProps>((props, ref) => {
  const split = splitProps(props);
  const element = useRef<WorkspaceChatElement>(null);
  const binding = useRef<ElementBinding | null>(null);
  // The element may change what the attributes express, so React gets the first ones forever. Changes are set as properties.
  const [attributes] = useState(() => attributesOf(split.properties));

  useBrowserLayoutEffect(() => {
    // Not earlier, so that the element starts after its hydration: no event is missed, and the HTML is as the server made it.
    define();
    binding.current ??= new ElementBinding(element.current!);
    binding.current.update(split);
  });
  useBrowserLayoutEffect(() => () => binding.current?.disconnect(), []);
  useImperativeHandle<WorkspaceChatElement | null, WorkspaceChatElement | null>(
    ref,
    () => (element.current && 'send' in element.current ? element.current : null),
    [],
  );

  return createElement('workspace-chat', {
    ...split.others,
    ...attributes,
    ref: element,
    // Another chat on the page may have defined the tag before.
    suppressHydrationWarning: true,
  });
});
WorkspaceChat.displayName = 'WorkspaceChat';

/** The props of the tag `<workspace-chat>` in JSX, without the component. */
export type WorkspaceChatTagProps = DetailedHTMLProps<HTMLAttributes<WorkspaceChatElement>, WorkspaceChatElement> &
  WorkspaceChatTemplateProps;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'workspace-chat': WorkspaceChatTagProps;
    }
  }
}
