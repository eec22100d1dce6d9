/** `webview.js`, the script of `webview.html`: a chat that fills an app's webview. */
import '../index.ts';
import { startBridge } from '../products/webview/bridge.ts';

startBridge();
