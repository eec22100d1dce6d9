/// <reference types="vite/types/importMeta.d.ts" />

/** Vite: a file's text. */
declare module '*?raw' {
  const text: string;
  export default text;
}
