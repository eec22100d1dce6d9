/** Indexes a source in the background, one visible state after the other; what was indexed before answers until then. */
import { and, eq } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { agents, sources, workspaces, type SourceStatus } from '../db/schema.ts';
import { emit } from '../events/emit.ts';
import type { JobHandler } from '../jobs/queue.ts';
import { ask, EgressError } from '../egress/request.ts';
import { serialiseSource, type Source } from '../resources/source.ts';
import { passages } from './chunks.ts';
import { passageChunks, storeChunks } from './indexing.ts';
import { spreadsheetText } from './spreadsheet.ts';
import { textAllowance } from './text-limit.ts';
import { readWebsite } from './website.ts';

interface Options {
  now: () => number;
  allowLoopback: boolean;
}

const fetchTime = 15_000;
const maxBytes = 3 * 1024 * 1024;
const redirects = 5;
const mostPages = 20;

/** Something about the source itself; said to the owner, not tried again. */
class Unreadable extends Error {}

export const createIndexHandler = (db: Db, options: Options): JobHandler => {
  return async ({ source: id, version }) => {
    /** Undefined when the source was deleted, or saved again: that save has a job of its own. */
    const move = async (status: SourceStatus, more: Partial<Source> = {}) => {
      const [moved] = await db
        .update(sources)
        .set({ status, ...more })
        .where(and(eq(sources.id, String(id)), eq(sources.version, Number(version))))
        .returning();
      return moved;
    };

    const [stored] = await db
      .select()
      .from(sources)
      .where(eq(sources.id, String(id)));
    if (!stored || stored.version !== version) return;
    try {
      let source: Source | undefined = stored;
      if (source.type === 'sheet' || source.type === 'website') {
        if (!(await move('crawling'))) return;
        const fetched = await (source.type === 'sheet' ? fetchSheet : fetchWebsite)(source.sourceUrl!, options);
        if (!(await move('parsing'))) return;
        const text = source.type === 'sheet' ? spreadsheetText(fetched) : fetched;
        source = await move('parsing', { content: await readable(db, source, text) });
      } else {
        source = await move('parsing');
      }
      if (!source || !(await move('chunking'))) return;
      const found = passages(source.content ?? '');
      if (found.length === 0) throw new Unreadable('empty');
      if (!(await move('embedding'))) return;
      const made = passageChunks(source, found);
      await db.transaction(async (tx) => {
        const [current] = await tx.select().from(sources).where(eq(sources.id, stored.id)).for('update');
        if (current?.version !== version) return;
        await tell(tx, await storeChunks(tx, current, made), 'source.synced', options.now());
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
        if (failed) await tell(tx, failed, 'source.failed', options.now());
      });
    }
  };
};

const reasonOf = (error: unknown): string | undefined => {
  if (error instanceof Unreadable) return error.message;
  return error instanceof EgressError ? error.reason : undefined;
};

const fetchSheet = async (url: string, { allowLoopback }: Options): Promise<string> => {
  const headers = { accept: 'text/csv, text/plain;q=0.5' };
  const asked = { method: 'GET', headers, timeoutMs: fetchTime, maxBytes: maxBytes, redirects, allowLoopback };
  const { status, text } = await ask(url, asked);
  if (status !== 200) throw new Unreadable(`http_status_${status}`);
  if (/^\s*</.test(text)) throw new Unreadable('not_csv');
  return text;
};

const fetchWebsite = async (url: string, { allowLoopback }: Options): Promise<string> => {
  const headers = { accept: 'text/html' };
  const asked = { method: 'GET', headers, timeoutMs: fetchTime, maxBytes: maxBytes, redirects, allowLoopback };
  return readWebsite(url, mostPages, async (address) => {
    const { status, text } = await ask(address, asked);
    if (status !== 200 && address === url) throw new Unreadable(`http_status_${status}`);
    return status === 200 && /^\s*</.test(text) ? text : null;
  });
};

const readable = async (db: Db, source: Source, read: string): Promise<string> => {
  const text = read.replaceAll('\0', '');
  const [owner] = await db
    .select({ plan: workspaces.plan })
    .from(agents)
    .innerJoin(workspaces, eq(workspaces.id, agents.workspaceId))
    .where(eq(agents.id, source.agentId));
  const { fits } = await textAllowance(db, source.agentId, owner!.plan, text.length, source.id);
  if (!fits) throw new Unreadable('plan_text_limit');
  return text;
};

export const tell = async (
  tx: Db,
  source: Source,
  type: 'source.synced' | 'source.failed',
  now: number,
): Promise<void> => {
  const [agent] = await tx.select().from(agents).where(eq(agents.id, source.agentId));
  const { workspaceId, id: agentId } = agent!;
  await emit(tx, { workspaceId, agentId, type, data: serialiseSource(source), at: new Date(now) });
};
