/** Makes sources and actions findable: cuts them into chunks and stores each with its terms. */
import { eq, type InferSelectModel } from 'drizzle-orm';
import { languageOf } from '../core/language.ts';
import type { Db } from '../db/open.ts';
import { actions, chunks, sources } from '../db/schema.ts';
import { passages, type Passage } from './chunks.ts';
import { terms } from './terms.ts';

type NewChunk = typeof chunks.$inferInsert;
type Source = InferSelectModel<typeof sources>;

/** Replaces a source's chunks at once, so that an answer sees either the old version or the new one. */
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

const rowsAtOnce = 500;

export const storeChunks = async (tx: Db, source: Source, made: NewChunk[]): Promise<Source> => {
  await tx.delete(chunks).where(eq(chunks.sourceId, source.id));
  for (let at = 0; at < made.length; at += rowsAtOnce) {
    await tx.insert(chunks).values(made.slice(at, at + rowsAtOnce).map((row) => ({ ...row, sourceId: source.id })));
  }
  const [indexed] = await tx
    .update(sources)
    .set({ status: 'indexed', error: null, chunkCount: made.length, extractedChars: charactersOf(source) })
    .where(eq(sources.id, source.id))
    .returning();
  return indexed!;
};

/** What counts toward the plan's text. */
export const charactersOf = ({ content, items }: Pick<Source, 'content' | 'items'>): number => {
  if (content !== null) return content.length;
  return (items ?? []).reduce(
    (sum, { question, answer, alternatives }) => sum + question.length + answer.length + alternatives.join('').length,
    0,
  );
};

/** An action is found by the wordings its `config.asked_by` lists, as a question is by its own. */
export const indexAction = async (db: Db, action: InferSelectModel<typeof actions>): Promise<void> => {
  const wordings = (Array.isArray(action.config['asked_by']) ? action.config['asked_by'] : []).filter(
    (wording): wording is string => typeof wording === 'string',
  );
  const rows = wordings.map((wording) => ({ ...chunk(action, 'action', wording, ''), actionId: action.id }));
  await db.transaction(async (tx) => {
    await tx.delete(chunks).where(eq(chunks.actionId, action.id));
    if (rows.length > 0) await tx.insert(chunks).values(rows);
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
