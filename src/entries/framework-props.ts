/** The types of the element in framework templates. */
import type { WorkspaceChatElement } from '../workspace-chat/workspace-chat.ts';

/** The properties that a template can set. */
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
    | 'linkHosts'
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

/** The attributes that a template can set. `starters` may be JSON. */
export type WorkspaceChatAttributes = {
  [Name in WithAttribute as Kebab<Name>]?: WorkspaceChatProperties[Name] | (Name extends 'starters' ? string : never);
};

type EventName = keyof HTMLElementEventMap & `workspace-chat-${string}`;

/** Event listeners in JSX: `on` followed by the event's name. */
export type WorkspaceChatListeners = {
  [Name in EventName as `on${Name}`]?: (event: HTMLElementEventMap[Name]) => void;
};

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** Event listeners in Vue: `@workspace-chat-open` is `onWorkspaceChatOpen`. */
export type WorkspaceChatVueListeners = {
  [Name in EventName as `on${Capitalize<Camel<Name>>}`]?: (event: HTMLElementEventMap[Name]) => void;
};
