/** Defines the tag, and exports the element's class. */
import { define } from './workspace-chat/define.ts';

export * from './element.ts';

define();
