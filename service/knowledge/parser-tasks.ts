/** The work on texts of strangers that the parser's worker does. Every function is pure. */
import type { ErrorDetail } from '../../contract/wire.ts';
import type { QuestionItem } from '../db/schema.ts';
import { passageRows, questionRows, type NewChunk } from './chunk-rows.ts';
import { findProblems } from './questions.ts';
import { spreadsheetText } from './spreadsheet.ts';
import { readPage, type Page } from './website.ts';

/** Chunks of one source. */
const maxChunks = 20_000;

/** A source that is too large to be indexed. */
export class TooManyChunksError extends Error {}

const limited = (rows: NewChunk[]): NewChunk[] => {
  if (rows.length > maxChunks) throw new TooManyChunksError();
  return rows;
};

export const parserTasks = {
  page: ({ html, address }: { html: string; address: string }): Page => readPage(html, address),
  sheet: ({ csv }: { csv: string }): string => spreadsheetText(csv),
  passages: ({ agentId, text }: { agentId: string; text: string }): NewChunk[] => limited(passageRows(agentId, text)),
  questions: ({ agentId, items }: { agentId: string; items: QuestionItem[] }): NewChunk[] =>
    questionRows(agentId, items),
  problems: ({ items }: { items: QuestionItem[] }): ErrorDetail[] => findProblems(items),
};

export type ParserTasks = typeof parserTasks;
export type TaskName = keyof ParserTasks;
