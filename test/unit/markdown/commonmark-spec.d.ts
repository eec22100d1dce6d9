/** The types of the part of commonmark-spec that the tests use. The package has none. */
declare module 'commonmark-spec' {
  export const tests: { number: number; markdown: string; html: string; section: string }[];
}
