/** Converts texts, questions and the wordings of actions to the rows of the search index. Uses no database. */
import { languageOf } from '../core/language.ts';
import type { chunks, QuestionItem } from '../db/schema.ts';
import { passages } from './chunks.ts';
import { terms, termsVersion } from './terms.ts';

export type NewChunk = typeof chunks.$inferInsert;

export const passageRows = (agentId: string, text: string): NewChunk[] => {
  return passages(text).map(({ title, within, body }) => chunkRow(agentId, 'passage', title, body, within));
};

export const questionRows = (agentId: string, items: QuestionItem[]): NewChunk[] => {
  return items.flatMap(({ question, answer, alternatives }) =>
    [question, ...alternatives].map((wording) => chunkRow(agentId, 'question', wording, answer)),
  );
};

export const chunkRow = (
  agentId: string,
  kind: NewChunk['kind'],
  title: string,
  body: string,
  within: string[] = [],
): NewChunk => {
  return {
    agentId,
    kind,
    title,
    body,
    language: languageOf(`${title} ${body}`) ?? 'en',
    titleTerms: terms(title).join(' '),
    bodyTerms: terms([...within, body].join(' ')).join(' '),
    termsVersion,
  };
};
