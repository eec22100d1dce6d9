/** Builds the search index: splits sources and actions into chunks and stores each with its terms. */
import { eq, type InferSelectModel } from 'drizzle-orm';
import { languageOf } from '../core/language.ts';
import type { Db } from '../db/database.ts';
import type { Source } from '../db/records.ts';
import { actions, chunks, sources } from '../db/schema.ts';
import { passages, type Passage } from './chunks.ts';
import { terms } from './terms.ts';

type NewChunk = typeof chunks.$inferInsert;

/** Replaces all chunks of a source. In a transaction, a search sees either the old version or the new one. */
export const indexSource = async (tx: Db, source: Source): Promise<Source> => {
  return storeChunks(
    tx,
    source,
    source.items ? questionChunks(source) : passageChunks(source, passages(source.content ?? '')),
  );
};

export const passageChunks = (source: Source, found: Passage[]): NewChunk[] => {
  return found.map(({ title, within, body }) => chunk(source, 'passage', title, body, within));
};

export const questionChunks = (source: Source): NewChunk[] => {
  return (source.items ?? []).flatMap(({ question, answer, alternatives }) =>
    [question, ...alternatives].map((wording) => chunk(source, 'question', wording, answer)),
  );
};

const insertBatchSize = 500;

export const storeChunks = async (tx: Db, source: Source, newChunks: NewChunk[]): Promise<Source> => {
  await tx.delete(chunks).where(eq(chunks.sourceId, source.id));
  for (let at = 0; at < newChunks.length; at += insertBatchSize) {
    const batch = newChunks.slice(at, at + insertBatchSize);
    await tx.insert(chunks).values(batch.map((row) => ({ ...row, sourceId: source.id })));
  }
  const [indexed] = await tx
    .update(sources)
    .set({ status: 'indexed', error: null, chunkCount: newChunks.length, extractedChars: charactersOf(source) })
    .where(eq(sources.id, source.id))
    .returning();
  return indexed!;
};

/** The number of characters that count toward the plan's text limit. */
export const charactersOf = ({ content, items }: Pick<Source, 'content' | 'items'>): number => {
  if (content !== null) return content.length;
  return (items ?? []).reduce(
    (sum, { question, answer, alternatives }) => sum + question.length + answer.length + alternatives.join('').length,
    0,
  );
};

/** An action is found by the wordings in its `config.asked_by`. */
export const indexAction = async (db: Db, action: InferSelectModel<typeof actions>): Promise<void> => {
  const wordings = (Array.isArray(action.config['asked_by']) ? action.config['asked_by'] : []).filter(
    (wording): wording is string => typeof wording === 'string',
  );
  const newChunks = wordings.map((wording) => ({ ...chunk(action, 'action', wording, ''), actionId: action.id }));
  await db.transaction(async (tx) => {
    await tx.delete(chunks).where(eq(chunks.actionId, action.id));
    if (newChunks.length > 0) await tx.insert(chunks).values(newChunks);
  });
};

const chunk = (
  { agentId }: { agentId: string },
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
  };
};
