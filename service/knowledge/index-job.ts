/**
 * Indexes a source in the background and updates its status after each step. The previous version stays in use until
 * the new one is indexed.
 */
import { and, eq } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import type { JobHandler } from '../jobs/runner.ts';
import type { Source } from '../db/records.ts';
import { agents, sources, workspaces, type SourceStatus } from '../db/schema.ts';
import { emit } from '../events/emit.ts';
import { EgressError, sendRequest } from '../egress/request.ts';
import { serialiseSource } from '../resources/source.ts';
import { passages } from './chunks.ts';
import { passageChunks, storeChunks } from './indexing.ts';
import { spreadsheetText } from './spreadsheet.ts';
import { textAllowance } from './text-limit.ts';
import { readWebsite } from './website.ts';

interface Options {
  now: () => number;
  allowLoopback: boolean;
}

const fetchTimeoutMs = 15_000;
const maxBytes = 3 * 1024 * 1024;
const maxRedirects = 5;
const maxPages = 20;

/** A problem of the source itself. The owner sees it, and the job is not repeated. */
class UnreadableSourceError extends Error {}

export const createIndexHandler = (db: Db, options: Options): JobHandler => {
  return async ({ source: id, version }) => {
    /** Returns undefined when the source was deleted or saved again. The later version has its own job. */
    const setStatus = async (status: SourceStatus, more: Partial<Source> = {}) => {
      const [updated] = await db
        .update(sources)
        .set({ status, ...more })
        .where(and(eq(sources.id, String(id)), eq(sources.version, Number(version))))
        .returning();
      return updated;
    };

    const [stored] = await db
      .select()
      .from(sources)
      .where(eq(sources.id, String(id)));
    if (!stored || stored.version !== version) return;
    try {
      let source: Source | undefined = stored;
      if (source.type === 'sheet' || source.type === 'website') {
        if (!(await setStatus('crawling'))) return;
        const fetched = await (source.type === 'sheet' ? fetchSheet : fetchWebsite)(source.sourceUrl!, options);
        if (!(await setStatus('parsing'))) return;
        const text = source.type === 'sheet' ? spreadsheetText(fetched) : fetched;
        source = await setStatus('parsing', { content: await limitedText(db, source, text) });
      } else {
        source = await setStatus('parsing');
      }
      if (!source || !(await setStatus('chunking'))) return;
      const found = passages(source.content ?? '');
      if (found.length === 0) throw new UnreadableSourceError('empty');
      if (!(await setStatus('embedding'))) return;
      const chunks = passageChunks(source, found);
      await db.transaction(async (tx) => {
        const [current] = await tx.select().from(sources).where(eq(sources.id, stored.id)).for('update');
        if (current?.version !== version) return;
        await emitSourceEvent(tx, await storeChunks(tx, current, chunks), 'source.synced', options.now());
      });
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      await db.transaction(async (tx) => {
        const [failed] = await tx
          .update(sources)
          .set({ status: 'failed', error: reason })
          .where(and(eq(sources.id, stored.id), eq(sources.version, stored.version)))
          .returning();
        if (failed) await emitSourceEvent(tx, failed, 'source.failed', options.now());
      });
    }
  };
};

const reasonOf = (error: unknown): string | undefined => {
  if (error instanceof UnreadableSourceError) return error.message;
  return error instanceof EgressError ? error.reason : undefined;
};

const fetchSheet = async (url: string, { allowLoopback }: Options): Promise<string> => {
  const headers = { accept: 'text/csv, text/plain;q=0.5' };
  const request = { method: 'GET', headers, timeoutMs: fetchTimeoutMs, maxBytes, maxRedirects, allowLoopback };
  const { status, text } = await sendRequest(url, request);
  if (status !== 200) throw new UnreadableSourceError(`http_status_${status}`);
  if (/^\s*</.test(text)) throw new UnreadableSourceError('not_csv');
  return text;
};

const fetchWebsite = async (url: string, { allowLoopback }: Options): Promise<string> => {
  const headers = { accept: 'text/html' };
  const request = { method: 'GET', headers, timeoutMs: fetchTimeoutMs, maxBytes, maxRedirects, allowLoopback };
  return readWebsite(url, maxPages, async (address) => {
    const { status, text } = await sendRequest(address, request);
    if (status !== 200 && address === url) throw new UnreadableSourceError(`http_status_${status}`);
    return status === 200 && /^\s*</.test(text) ? text : null;
  });
};

/** @throws {UnreadableSourceError} When the plan does not allow that much text. */
const limitedText = async (db: Db, source: Source, fetched: string): Promise<string> => {
  const text = fetched.replaceAll('\0', '');
  const [owner] = await db
    .select({ plan: workspaces.plan })
    .from(agents)
    .innerJoin(workspaces, eq(workspaces.id, agents.workspaceId))
    .where(eq(agents.id, source.agentId));
  const { fits } = await textAllowance(db, source.agentId, owner!.plan, text.length, source.id);
  if (!fits) throw new UnreadableSourceError('plan_text_limit');
  return text;
};

export const emitSourceEvent = async (
  tx: Db,
  source: Source,
  type: 'source.synced' | 'source.failed',
  now: number,
): Promise<void> => {
  const [agent] = await tx.select().from(agents).where(eq(agents.id, source.agentId));
  const { workspaceId, id: agentId } = agent!;
  await emit(tx, { workspaceId, agentId, type, data: serialiseSource(source), at: new Date(now) });
};
