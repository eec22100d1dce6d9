/** The element, with its tag defined. */
import { define } from './define.ts';

export * from './element.ts';

define();
