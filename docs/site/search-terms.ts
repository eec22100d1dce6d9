/** How the search of the site compares words. */

/**
 * Returns the form under which a word is found. Arabic words are found with and without the article and its prefixes, vowel marks,
 * and the variants of a letter. VitePress copies the function into the page, so it uses nothing outside of itself.
 * @example termOf('والتثبيت') // 'تثبيت'
 */
export const termOf = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll(/[\u064B-\u0652\u0640]/g, '')
    .replaceAll(/[أإآ]/g, 'ا')
    .replace(/ة$/, 'ه')
    .replace(/ى$/, 'ي')
    .replace(/^(?:[وف]?[بك]?ال|[وف]?لل)(?=[\u0621-\u064A]{3})/, '');

/** Adds the words that a page's front matter names as `search` to what is indexed of its first heading. They are not shown. */
export const withSearchWords = (html: string, words: unknown): string =>
  typeof words === 'string' ? html.replace('</h1>', `</h1><p>${words}</p>`) : html;
