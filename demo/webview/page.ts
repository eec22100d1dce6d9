/** The script of the page in the demo phone. */
import '../../src/entries/webview.ts';
