/** `webview.js`: the whole script of `webview.html`, the chat that fills an app's webview. */
import '../index.ts';
import { startBridge } from '../products/webview/bridge.ts';

startBridge();
