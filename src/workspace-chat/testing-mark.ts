/** A property of the global object: tests of the page define the tag themselves. */
export const testingMark = Symbol.for('workspace-chat/testing');
