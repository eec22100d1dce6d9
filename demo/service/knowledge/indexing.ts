/** Makes sources and actions findable: cuts them into chunks and stores each with its terms. */
import { eq, type InferSelectModel } from 'drizzle-orm';
import { languageOf } from '../answer/language.ts';
import type { Db } from '../db/open.ts';
import { actions, chunks, sources } from '../db/schema.ts';
import { passages } from './chunks.ts';
import { terms } from './terms.ts';

type NewChunk = typeof chunks.$inferInsert;

/** Replaces a source's chunks at once, so that an answer sees either the old version or the new one. */
export async function indexSource(db: Db, source: InferSelectModel<typeof sources>): Promise<void> {
  const made: NewChunk[] = source.items
    ? source.items.flatMap(({ question, answer, alternatives }) =>
        [question, ...alternatives].map((wording) => chunk(source, 'question', wording, answer)),
      )
    : passages(source.content ?? '').map(({ title, within, body }) => chunk(source, 'passage', title, body, within));
  const rows = made.map((row) => ({ ...row, sourceId: source.id }));
  const characters = source.content?.length ?? JSON.stringify(source.items ?? []).length;
  await db.transaction(async (tx) => {
    await tx.delete(chunks).where(eq(chunks.sourceId, source.id));
    if (rows.length > 0) await tx.insert(chunks).values(rows);
    await tx
      .update(sources)
      .set({ status: 'indexed', chunkCount: rows.length, extractedChars: characters })
      .where(eq(sources.id, source.id));
  });
}

/** An action is found by the wordings its `config.asked_by` lists, as a question is by its own. */
export async function indexAction(db: Db, action: InferSelectModel<typeof actions>): Promise<void> {
  const wordings = (action.config['asked_by'] ?? []) as string[];
  const rows = wordings.map((wording) => ({ ...chunk(action, 'action', wording, ''), actionId: action.id }));
  await db.transaction(async (tx) => {
    await tx.delete(chunks).where(eq(chunks.actionId, action.id));
    if (rows.length > 0) await tx.insert(chunks).values(rows);
  });
}

function chunk(
  { agentId }: { agentId: string },
  kind: NewChunk['kind'],
  title: string,
  body: string,
  within: string[] = [],
): NewChunk {
  return {
    agentId,
    kind,
    title,
    body,
    language: languageOf(`${title} ${body}`) ?? 'en',
    titleTerms: terms(title).join(' '),
    bodyTerms: terms([...within, body].join(' ')).join(' '),
  };
}
