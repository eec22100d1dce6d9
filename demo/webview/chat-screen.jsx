// Not compiled here. react-native-webview 13, react-native-safe-area-context 5. Put webview.html
// and webview.js of dist/cdn on your server, and add its origin to the agent's allowed_origins.
import { useEffect, useRef } from 'react';
import { BackHandler, Linking, Platform, useColorScheme, Vibration } from 'react-native';
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

/** Sends the back button of Android to the page, which closes its menu first and then asks to be closed. */
const useBackButton = (say) =>
  useEffect(() => {
    const subscription = BackHandler.addEventListener('hardwareBackPress', () => {
      say('back');
      return true;
    });
    return () => subscription.remove();
  }, []);

/** @param fetchContact Fetches a proof of identity from your own server: {token}, or null if no customer is signed in. */
export function ChatScreen({ locale, fetchContact, onUnread, onClose }) {
  const webView = useRef(null);
  const runs = useRef(new Map());
  const { top, right, bottom, left } = useSafeAreaInsets();
  const scheme = useColorScheme() === 'dark' ? 'dark' : 'light';
  const first = { ...configuration, locale, colorScheme: scheme, insets: { top, right, bottom, left } };

  const say = (type, fields) => webView.current?.postMessage(JSON.stringify({ v: 1, type, ...fields }));

  useEffect(() => say('insets', { top, right, bottom, left }), [top, right, bottom, left]);
  useEffect(() => say('colorScheme', { value: scheme }), [scheme]);
  useEffect(() => say('locale', { value: locale }), [locale]);
  useBackButton(say);

  const hear = async ({ nativeEvent: { data, url } }) => {
    if (new URL(url).origin !== new URL(page).origin) return;
    const message = JSON.parse(data);
    switch (message.type) {
      case 'ready':
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
        await runTool(runs.current, say, message);
        break;
      case 'error':
        console.warn('Chat:', message);
        break;
      case 'close':
        onClose();
    }
  };

  return (
    <WebView
      ref={webView}
      source={{ uri: page }}
      injectedJavaScriptBeforeContentLoaded={`window.workspaceChatConfig = ${JSON.stringify(first)}; true;`}
      onMessage={hear}
      contentInsetAdjustmentBehavior="never"
      bounces={false}
      overScrollMode="never"
      // The system can end the page's process in the background. The conversation is restored after the reload.
      onContentProcessDidTerminate={() => webView.current?.reload()}
      onRenderProcessGone={() => webView.current?.reload()}
    />
  );
}
