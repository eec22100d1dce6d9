/** The work on texts of strangers that the parser's worker does. Every function is pure. */
import type { ErrorDetail } from '../../contract/wire.ts';
import type { QuestionItem } from '../db/schema.ts';
import { passageRows, questionRows, type NewChunk } from './chunk-rows.ts';
import { findProblems } from './questions.ts';
import { spreadsheetText } from './spreadsheet.ts';
import { decodeText, requireReadable } from './decode-text.ts';
import { readPage, type Page } from './website.ts';

/** Chunks of one source. */
const maxChunks = 20_000;

/** A source that is too large to be indexed. */
export class TooManyChunksError extends Error {}

/** Why a text cannot be parsed. */
export type ParserFailure = 'too_complex' | 'not_csv' | 'not_text' | 'bad_encoding';

/** A web page where a spreadsheet was expected. */
export class NotCsvError extends Error {}

/** A file as a server sent it, or a text that was decoded before. */
export type ReceivedFile = string | { bytes: Uint8Array; contentType: string };

const textOf = (file: ReceivedFile): string =>
  typeof file === 'string' ? file : decodeText(file.bytes, file.contentType);

const isMarkup = (text: string): boolean => text.trimStart().startsWith('<');

const htmlType = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i;

/** Whether a file is a web page, and not a feed or a sitemap, which are markup too. */
const isPage = (file: ReceivedFile, text: string): boolean => {
  // The name of an uploaded file says that it is HTML.
  if (typeof file === 'string' || htmlType.test(file.contentType)) return isMarkup(text);
  return file.contentType === '' && /^\s*<(?:!doctype\s+html|html)\b/i.test(text);
};

/** Leaves out the paragraphs of a page that contain lost characters. Other paragraphs of the same site are still of use. */
const withoutLostText = (page: Page): Page => ({
  ...page,
  title: page.title.includes('\ufffd') ? '' : page.title,
  text: page.text
    .split('\n\n')
    .filter((paragraph) => !/[\0\ufffd]/.test(paragraph))
    .join('\n\n'),
});

const limited = (rows: NewChunk[]): NewChunk[] => {
  if (rows.length > maxChunks) throw new TooManyChunksError();
  return rows;
};

export const parserTasks = {
  page: ({ file, address }: { file: ReceivedFile; address: string }): Page | null => {
    const html = textOf(file);
    return isPage(file, html) ? withoutLostText(readPage(html, address)) : null;
  },
  sheet: ({ file }: { file: ReceivedFile }): string => {
    const csv = requireReadable(textOf(file));
    if (isMarkup(csv)) throw new NotCsvError();
    return spreadsheetText(csv);
  },
  passages: ({ agentId, text }: { agentId: string; text: string }): NewChunk[] =>
    limited(passageRows(agentId, requireReadable(text))),
  questions: ({ agentId, items }: { agentId: string; items: QuestionItem[] }): NewChunk[] =>
    questionRows(agentId, items),
  problems: ({ items }: { items: QuestionItem[] }): ErrorDetail[] => findProblems(items),
};

export type ParserTasks = typeof parserTasks;
export type TaskName = keyof ParserTasks;
