/** Vite: a file's text. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** The modules of some files, which Vite loads one by one. */
interface ImportMeta {
  glob<Module>(pattern: string): Record<string, (() => Promise<Module>) | undefined>;
}
