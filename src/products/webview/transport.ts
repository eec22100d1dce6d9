/** Finds the transport to the app around the webview. */
// The objects of an app take one argument. Only a window's postMessage takes a target origin.
// oxlint-disable unicorn/require-post-message-target-origin

/** Posts messages as JSON text. */
export interface Transport {
  name: string;
  post(json: string): void;
  /** Receives messages through the same object, in addition to `window.workspaceChat.receive`. */
  listen?(receive: (json: unknown) => void): void;
}

interface Postable {
  postMessage(json: string): void;
}

interface MessageListenerObject extends Postable {
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

interface CapacitorPlugin {
  postMessage(call: { message: string }): Promise<unknown>;
  addListener?(type: 'message', listener: (event: { message?: unknown }) => void): unknown;
}

/** The objects that apps define on the window. */
export interface AppWindow {
  webkit?: { messageHandlers?: { workspaceChat?: Postable } };
  /** Android's WebMessageListener object or JavascriptInterface, or Flutter's JavaScript channel. */
  workspaceChatNative?: Postable | MessageListenerObject;
  ReactNativeWebView?: Postable;
  Capacitor?: { Plugins?: { WorkspaceChat?: CapacitorPlugin } };
}

const isPostable = (value: unknown): value is Postable =>
  typeof (value as Partial<Postable> | undefined)?.postMessage === 'function';

/** Returns the app's transport, or null in a plain browser. */
export const findTransport = (page: AppWindow): Transport | null => {
  const handler = page.webkit?.messageHandlers?.workspaceChat;
  // Call the methods on their own objects: an app's functions may not be JavaScript functions.
  if (isPostable(handler)) return { name: 'webkit', post: (json) => handler.postMessage(json) };
  const native = page.workspaceChatNative;
  if (isPostable(native)) {
    return {
      name: 'native',
      post: (json) => native.postMessage(json),
      listen(receive) {
        if ('addEventListener' in native && typeof native.addEventListener === 'function') {
          native.addEventListener('message', ({ data }) => receive(data));
        }
      },
    };
  }
  const react = page.ReactNativeWebView;
  if (isPostable(react)) return { name: 'react-native', post: (json) => react.postMessage(json) };
  const plugin = page.Capacitor?.Plugins?.WorkspaceChat;
  if (plugin) {
    return {
      name: 'capacitor',
      post: (json) => void plugin.postMessage({ message: json }),
      listen: (receive) => void plugin.addListener?.('message', ({ message }) => receive(message)),
    };
  }
  return null;
};
