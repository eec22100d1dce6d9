/** The types of the element in framework templates. */
import type { WorkspaceChatEventMap } from '../workspace-chat/event-map.ts';
import type { DeclaredProperties } from '../workspace-chat/properties.ts';
import type { WorkspaceChatElement } from '../workspace-chat/workspace-chat.ts';

type Settable = DeclaredProperties & Pick<WorkspaceChatElement, 'contact'>;

/** The properties that a template can set. */
export type WorkspaceChatProperties = { [Name in keyof Settable]?: Settable[Name] | undefined };

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : Name;

type WithAttribute = Exclude<keyof WorkspaceChatProperties, 'contact' | 'strings'>;

/** A list or an object may also be JSON. */
type OrJson<Value> = Value | (Extract<Value, object> extends never ? never : string);

/** The attributes that a template can set. */
export type WorkspaceChatAttributes = {
  [Name in WithAttribute as Kebab<Name>]?: OrJson<WorkspaceChatProperties[Name]>;
};

type EventName = keyof WorkspaceChatEventMap;

/** Event listeners in JSX: `on` followed by the event's name. */
export type WorkspaceChatListeners = {
  [Name in EventName as `on${Name}`]?: ((event: WorkspaceChatEventMap[Name]) => void) | undefined;
};

/**
 * The attributes without objects and `false`, which Preact and Svelte write as text. An attribute that has the name of its property
 * may have them: the frameworks set the property.
 */
type WrittenAttributes = {
  [Name in keyof WorkspaceChatAttributes]: Name extends keyof WorkspaceChatProperties
    ? WorkspaceChatAttributes[Name]
    : Exclude<WorkspaceChatAttributes[Name], object | false>;
};

/** What a template can set on the tag: attributes, properties, and event listeners. */
export type WorkspaceChatTemplateProps = WrittenAttributes &
  Omit<WorkspaceChatProperties, keyof WorkspaceChatAttributes> &
  WorkspaceChatListeners;

type WithPrefix<Prefix extends string, Props> = {
  [Name in keyof Props & string as `${Prefix}:${Name}`]?: Props[Name] | undefined;
};

type BooleanAttribute = {
  [Name in keyof WorkspaceChatAttributes]-?: WorkspaceChatAttributes[Name] extends boolean | undefined ? Name : never;
}[keyof WorkspaceChatAttributes];

/** The namespaces of JSX in Solid: properties, attributes with text, boolean attributes, and event listeners. */
export type WorkspaceChatSolidNamespaces = WithPrefix<'prop', WorkspaceChatProperties> &
  WithPrefix<'attr', Record<Exclude<keyof WorkspaceChatAttributes, BooleanAttribute>, string | null>> &
  WithPrefix<'bool', Record<BooleanAttribute, boolean>> & {
    [Name in EventName as `on:${Name}`]?: ((event: WorkspaceChatEventMap[Name]) => void) | undefined;
  };

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** Event listeners in Vue: `@workspace-chat-open` is `onWorkspaceChatOpen`. */
export type WorkspaceChatVueListeners = {
  [Name in EventName as `on${Capitalize<Camel<Name>>}`]?: (event: WorkspaceChatEventMap[Name]) => void;
};

type HandlerName<Name extends EventName> = Name extends `workspace-chat-${infer Rest}`
  ? `on${Capitalize<Camel<Rest>>}`
  : never;

/** The name of the event for each handler of the React component: `onMessage` handles `workspace-chat-message`. */
export type HandledEvents = { [Name in EventName as HandlerName<Name>]: Name };

/** The handlers of the React component. */
export type WorkspaceChatHandlers = {
  [Name in keyof HandledEvents]?: ((event: WorkspaceChatEventMap[HandledEvents[Name]]) => void) | undefined;
};
