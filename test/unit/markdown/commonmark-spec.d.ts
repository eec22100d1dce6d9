/** The part of the commonmark-spec package that the tests use; it brings no types. */
declare module 'commonmark-spec' {
  export const tests: { number: number; markdown: string; html: string; section: string }[];
}
