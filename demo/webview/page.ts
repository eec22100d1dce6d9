/** The script of the page in the phone. */
import '../../src/entries/webview.ts';
