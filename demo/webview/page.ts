/** The script of the page in the phone. */
import '../../src/webview.ts';
