/** `webview.js`, the script of `webview.html`: a chat that fills an app's webview. */
import { startBridge } from '../products/webview/bridge.ts';
import { define } from '../workspace-chat/define.ts';

define();
startBridge();
