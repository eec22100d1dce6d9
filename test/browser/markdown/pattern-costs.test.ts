import { expect } from '@open-wc/testing';

/** Classes of characters in one pattern. A class such as \p{L} has hundreds of ranges, which the browser lists again each time. */
const limit = 8;

it('does not put together a pattern that names Unicode properties again and again', async () => {
  const sources: string[] = [];
  const { RegExp } = globalThis;
  globalThis.RegExp = new Proxy(RegExp, {
    construct: (target, [source, flags]: [string, string?]) => {
      sources.push(source);
      return new target(source, flags);
    },
  });
  try {
    await import('../../../src/workspace-chat/chat-file.ts');
  } finally {
    globalThis.RegExp = RegExp;
  }
  expect(sources).to.have.lengthOf.above(5);
  expect(sources.filter((source) => (source.match(/\\p\{/gi) ?? []).length > limit)).to.deep.equal([]);
});
