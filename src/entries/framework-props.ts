/** The element as a template of a framework sees it: types only. */
import type { WorkspaceChatElement } from '../workspace-chat/workspace-chat.ts';

/** What a page may set, by the names of the properties. */
export type WorkspaceChatProperties = Partial<
  Pick<
    WorkspaceChatElement,
    | 'baseUrl'
    | 'publishableKey'
    | 'agentId'
    | 'locale'
    | 'mode'
    | 'placement'
    | 'open'
    | 'heading'
    | 'greeting'
    | 'starters'
    | 'colorScheme'
    | 'hideLauncher'
    | 'launcherSelector'
    | 'imageHosts'
    | 'storage'
    | 'streaming'
    | 'repliesUrl'
    | 'contact'
    | 'strings'
  >
>;

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : Name;

type WithAttribute = Exclude<keyof WorkspaceChatProperties, 'contact' | 'strings'>;

/** The same by the names of the attributes, where `starters` is JSON. */
export type WorkspaceChatAttributes = {
  [Name in WithAttribute as Kebab<Name>]?: WorkspaceChatProperties[Name] | (Name extends 'starters' ? string : never);
};

type EventName = keyof HTMLElementEventMap & `workspace-chat-${string}`;

/** Listeners as JSX has them for custom elements: `on` before the event's name. */
export type WorkspaceChatListeners = {
  [Name in EventName as `on${Name}`]?: (event: HTMLElementEventMap[Name]) => void;
};

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** Listeners as Vue has them: `@workspace-chat-open` is `onWorkspaceChatOpen`. */
export type WorkspaceChatVueListeners = {
  [Name in EventName as `on${Capitalize<Camel<Name>>}`]?: (event: HTMLElementEventMap[Name]) => void;
};
