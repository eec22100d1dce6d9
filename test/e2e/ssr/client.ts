/** The script of a page whose launcher was rendered on a server. */
import '../../../src/index.ts';
import { hydrateLaunchers } from '../../../src/entries/ssr.ts';

hydrateLaunchers();
