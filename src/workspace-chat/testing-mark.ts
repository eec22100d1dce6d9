/** A property of the global object: tests of the page define the tag themselves. The class that a stub may replace has it, too. */
export const testingMark = Symbol.for('workspace-chat/testing');
