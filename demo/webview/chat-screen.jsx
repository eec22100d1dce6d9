// Not compiled here. react-native-webview 13, react-native-safe-area-context 5. Put webview.html
// and webview.js of dist/cdn on your server, and add its origin to the agent's allowed_origins.
import { useEffect, useRef, useState } from 'react';
import { BackHandler, Button, Keyboard, Linking, Platform, useColorScheme, Vibration, View } from 'react-native';
import { useSafeAreaInsets } from 'react-native-safe-area-context';
import { WebView } from 'react-native-webview';

const page = 'https://app.example/webview.html';

// No `storage` here: the IndexedDB of an https origin is persistent. With `storage: 'native'`, respond to each “storage”
// message from the storage of your choice, as the sample for Swift does.
const configuration = {
  baseUrl: 'https://api.example/api/v2',
  publishableKey: 'svc_pk_…',
  agentId: 'agt_…',
  tools: [{ name: 'get_order_status', confirm: true }],
};

/** Replace this with your app's own code. Your server decides which data this customer may see. */
const getOrderStatus = async ({ order_number }, signal) =>
  (await fetch(`https://shop.example/orders/${encodeURIComponent(order_number)}`, { signal })).json();

/** Runs the tool, or aborts its run, when the page asks for that. */
const runTool = async (runs, say, { phase, callId, arguments: given }) => {
  if (phase === 'abort') {
    runs.get(callId)?.abort();
    return;
  }
  const controller = new AbortController();
  runs.set(callId, controller);
  try {
    say('toolResult', { callId, ok: true, result: await getOrderStatus(given, controller.signal) });
  } catch (error) {
    if (!controller.signal.aborted) say('toolResult', { callId, ok: false, error: String(error) });
  }
  runs.delete(callId);
};

/** Handles the back button of Android. */
const useBackButton = (goBack) =>
  useEffect(() => {
    const subscription = BackHandler.addEventListener('hardwareBackPress', () => {
      goBack();
      return true;
    });
    return () => subscription.remove();
  }, [goBack]);

/** Returns the edges that are covered, in CSS pixels. On an edge-to-edge Android screen, the keyboard covers the bottom. */
const useEdges = () => {
  const { top, right, bottom, left } = useSafeAreaInsets();
  const [keyboard, setKeyboard] = useState(0);
  useEffect(() => {
    // The page detects the keyboard of iOS itself.
    if (Platform.OS !== 'android') return () => {};
    const subscriptions = [
      Keyboard.addListener('keyboardDidShow', ({ endCoordinates }) => setKeyboard(endCoordinates.height)),
      Keyboard.addListener('keyboardDidHide', () => setKeyboard(0)),
    ];
    return () => subscriptions.forEach((subscription) => subscription.remove());
  }, []);
  return { top, right, bottom: Math.max(bottom, keyboard), left };
};

/** Handles a message of the page. */
const handle = async (message, { say, state, first, fetchContact, onUnread, onClose }) => {
  switch (message.type) {
    case 'ready':
      state.isReady = true;
      // On Android the injected script can run too late. Then the page is not configured yet.
      if (!message.configured) say('configure', { configuration: first });
      else say('identify', { contact: await fetchContact() });
      break;
    case 'open-link':
      await Linking.openURL(message.url);
      break;
    case 'unread':
      onUnread(message.count);
      break;
    case 'haptic':
      if (Platform.OS === 'android') Vibration.vibrate(10);
      break;
    case 'tool':
      await runTool(state.runs, say, message);
      break;
    case 'error':
      console.warn('Chat:', message);
      break;
    case 'close':
      onClose();
  }
};

/** The page could not be loaded. */
const LoadingFailed = ({ backgroundColor, onRetry, onClose }) => (
  <View style={{ flex: 1, justifyContent: 'center', gap: 12, padding: 24, backgroundColor }}>
    <Button title="Try again" onPress={onRetry} />
    <Button title="Close" onPress={onClose} />
  </View>
);

/**
 * @param locale The language as a BCP 47 tag. Without it, the page follows the phone.
 * @param fetchContact Fetches a proof of identity from your own server: {token}, or null if no customer is signed in.
 */
export function ChatScreen({ locale, fetchContact, onUnread, onClose }) {
  const webView = useRef(null);
  const { current: state } = useRef({ isReady: false, runs: new Map() });
  const [hasFailed, setFailed] = useState(false);
  const { top, right, bottom, left } = useEdges();
  const insets = { top, right, bottom, left };
  const scheme = useColorScheme() === 'dark' ? 'dark' : 'light';
  const first = { ...configuration, ...(locale && { locale }), colorScheme: scheme, insets };
  // The color of the page, so that nothing white appears while it is loaded.
  const backgroundColor = scheme === 'dark' ? '#17181c' : '#ffffff';

  const say = (type, fields) => webView.current?.postMessage(JSON.stringify({ v: 1, type, ...fields }));

  useEffect(() => say('insets', insets), [top, right, bottom, left]);
  useEffect(() => say('colorScheme', { value: scheme }), [scheme]);
  useEffect(() => say('locale', { value: locale ?? null }), [locale]);
  // The page closes its menu first, and then asks to be closed. Without a page, leave at once.
  useBackButton(() => (state.isReady ? say('back') : onClose()));

  const reload = () => {
    state.isReady = false;
    setFailed(false);
    webView.current?.reload();
  };

  if (hasFailed) return <LoadingFailed backgroundColor={backgroundColor} onRetry={reload} onClose={onClose} />;

  return (
    <WebView
      ref={webView}
      source={{ uri: page }}
      style={{ flex: 1, backgroundColor }}
      injectedJavaScriptBeforeContentLoaded={`window.workspaceChatConfig = ${JSON.stringify(first)}; true;`}
      onMessage={({ nativeEvent: { data, url } }) => {
        if (url.startsWith(page)) void handle(JSON.parse(data), { say, state, first, fetchContact, onUnread, onClose });
      }}
      // A link never replaces the page: it arrives as “open-link”.
      onShouldStartLoadWithRequest={({ url }) => url.startsWith(page)}
      onError={() => setFailed(true)}
      onHttpError={() => setFailed(true)}
      contentInsetAdjustmentBehavior="never"
      bounces={false}
      overScrollMode="never"
      // The system can end the page's process in the background. The conversation is restored after the reload.
      onContentProcessDidTerminate={reload}
      onRenderProcessGone={reload}
    />
  );
}
