/** The script of a page whose launcher was rendered on a server. */
import { hydrateLaunchers } from '../../../src/entries/ssr.ts';
import { define } from '../../../src/workspace-chat/define.ts';

define();
hydrateLaunchers();
