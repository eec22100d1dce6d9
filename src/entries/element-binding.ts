/** Applies the props of the React component to its element. */
import { attributeName } from '../workspace-chat/attribute-name.ts';
import { WorkspaceChatElement } from '../workspace-chat/workspace-chat.ts';
import type { HandledEvents, WorkspaceChatHandlers, WorkspaceChatProperties } from './framework-props.ts';

type PropertyName = keyof WorkspaceChatProperties;

/** The event of each handler. */
const events: HandledEvents = {
  onReady: 'workspace-chat-ready',
  onOpen: 'workspace-chat-open',
  onClose: 'workspace-chat-close',
  onSend: 'workspace-chat-send',
  onMessage: 'workspace-chat-message',
  onConversation: 'workspace-chat-conversation',
  onState: 'workspace-chat-state',
  onTool: 'workspace-chat-tool',
  onLead: 'workspace-chat-lead',
  onUnread: 'workspace-chat-unread',
  onLink: 'workspace-chat-link',
  onForm: 'workspace-chat-form',
  onConsent: 'workspace-chat-consent',
  onRating: 'workspace-chat-rating',
  onFeedback: 'workspace-chat-feedback',
  onError: 'workspace-chat-error',
};

/** The attribute of each property, or null if it has none. */
const attributes = new Map<string, string | null>([
  ...Object.entries(WorkspaceChatElement.properties).map(
    ([name, { attribute }]) => [name, attribute === false ? null : attributeName(name)] as const,
  ),
  ['contact', null],
]);

/** The props of the component, by what they are for. */
export interface SplitProps {
  properties: WorkspaceChatProperties;
  handlers: WorkspaceChatHandlers;
  /** What React applies itself: `id`, `style`, `children` … */
  others: Record<string, unknown>;
}

export const splitProps = (props: object): SplitProps => {
  const split = {
    properties: {} as Record<string, unknown>,
    handlers: {} as Record<string, unknown>,
    others: {} as Record<string, unknown>,
  };
  for (const [name, value] of Object.entries(props)) {
    if (attributes.has(name)) split.properties[name] = value;
    else if (Object.hasOwn(events, name)) split.handlers[name] = value;
    // React 18 does not translate the name for custom elements.
    else split.others[name === 'className' ? 'class' : name] = value;
  }
  return split;
};

/** Returns the attributes for the HTML that a server renders. */
export const attributesOf = (properties: WorkspaceChatProperties): Record<string, string> => {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries<unknown>(properties)) {
    const attribute = attributes.get(name);
    const isText = typeof value === 'string' || typeof value === 'number' || value === true;
    // In HTML, a flag has no value. `consent` is true, or has one.
    const isFlag = value === true && WorkspaceChatElement.properties[name]?.type === Boolean;
    if (attribute && isText) result[attribute] = isFlag ? '' : String(value);
  }
  return result;
};

/**
 * Sets properties and adds listeners. React 18 knows only attributes of custom elements, and React 19 ignores the properties
 * and listeners of an element that a server rendered (https://github.com/facebook/react/issues/35446).
 */
export class ElementBinding implements EventListenerObject {
  readonly #element: WorkspaceChatElement;
  #properties: WorkspaceChatProperties = {};
  #handlers: WorkspaceChatHandlers = {};
  #defaults: WorkspaceChatElement | null = null;

  constructor(element: WorkspaceChatElement) {
    this.#element = element;
  }

  /** Sets the properties that have changed since the last call, and uses these handlers from now on. */
  update({ properties, handlers }: SplitProps): void {
    for (const name of Object.keys({ ...this.#properties, ...properties }) as PropertyName[]) {
      const value = properties[name];
      if (!Object.is(value, this.#properties[name])) this.#set(name, value);
    }
    this.#properties = properties;
    this.#listen(handlers);
  }

  /** Removes all listeners. The next update adds them again. */
  disconnect(): void {
    this.#listen({});
  }

  handleEvent(event: Event): void {
    const name = (Object.keys(events) as (keyof HandledEvents)[]).find((each) => events[each] === event.type);
    const handler = name && (this.#handlers[name] as ((event: Event) => void) | undefined);
    handler?.(event);
  }

  /** Listens only to what has a handler: some controls of the chat are shown only while somebody listens. */
  #listen(handlers: WorkspaceChatHandlers): void {
    this.#handlers = handlers;
    for (const [handler, event] of Object.entries(events) as [keyof HandledEvents, string][]) {
      // Adding the same object again has no effect, so a new handler in each rendering adds no listener.
      if (handlers[handler]) this.#element.addEventListener(event, this);
      else this.#element.removeEventListener(event, this);
    }
  }

  #set<Name extends PropertyName>(name: Name, value: WorkspaceChatProperties[Name]): void {
    if (value === undefined) this.#defaults ??= document.createElement('workspace-chat');
    Object.assign(this.#element, { [name]: value === undefined ? this.#defaults![name] : value });
  }
}
