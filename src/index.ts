/** The element, with its tag defined. */
import { define } from './workspace-chat/define.ts';

export * from './element.ts';

define();
