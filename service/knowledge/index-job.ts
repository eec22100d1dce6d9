/**
 * Indexes a source in the background and updates its status after each step. The previous version stays in use until
 * the new one is indexed.
 */
import { countCharacters } from '../../contract/characters.ts';
import { and, eq } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import type { Db } from '../db/database.ts';
import type { JobHandler } from '../jobs/job-lanes.ts';
import type { ListedSource, Source } from '../db/records.ts';
import { lockAgent } from '../db/row-locks.ts';
import { agents, sourceColumns, sources, workspaces, type SourceStatus } from '../db/schema.ts';
import { emit } from '../events/emit.ts';
import { EgressError, sendRequest, type OutboundResponse } from '../egress/request.ts';
import { serializeSource } from '../resources/source.ts';
import type { NewChunk } from './chunk-rows.ts';
import { addEmbeddingJob } from './embed-job.ts';
import type { Embedder } from './embedder.ts';
import { deleteReplacedChunks, publishChunks, stageChunks } from './indexing.ts';
import { UnparsableError, type Parser } from './parser.ts';
import { textAllowance } from './text-limit.ts';
import { pageText, readWebsite } from './website.ts';

interface Options {
  now: () => number;
  parser: Parser;
  allowLoopback: boolean;
  /** Aborted when the service stops. */
  closing: AbortSignal;
  /** Undefined unless a model for embeddings is configured. */
  embedder: Embedder | undefined;
}

const fetchTimeoutMs = 15_000;
const maxBytes = 3 * 1024 * 1024;
const maxRedirects = 5;
const maxPages = 20;

/** A problem of the source itself. The owner sees it, and the job is not repeated. */
class UnreadableSourceError extends Error {}

/** The source was deleted or saved again. The later version has its own job. */
class ObsoleteVersionError extends Error {}

export const createIndexHandler = (db: Db, options: Options): JobHandler => {
  return async (payload) => {
    const stored = await sourceToIndex(db, payload);
    if (!stored) return;
    try {
      await indexStored(db, stored, options);
    } catch (error) {
      if (error instanceof ObsoleteVersionError || !(await exists(db, stored))) return;
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      await failSource(db, stored, reason, options.now());
    }
  };
};

const exists = async (db: Db, source: Source): Promise<boolean> => (await db.$count(sources, isSame(source))) > 0;

const isSame = ({ id, version }: Source) => and(eq(sources.id, id), eq(sources.version, version));

/** Marks the source of a job that is not tried again. */
export const createIndexFailure = (db: Db, { now }: Pick<Options, 'now'>): JobHandler => {
  return async (payload) => {
    const stored = await sourceToIndex(db, payload);
    if (stored) await failSource(db, stored, 'indexing_failed', now());
  };
};

/** Returns the source of a job, unless it was deleted, saved again or indexed since. */
const sourceToIndex = async (db: Db, { source: id, version }: JsonObject): Promise<Source | undefined> => {
  const [stored] = await db
    .select()
    .from(sources)
    .where(eq(sources.id, String(id)));
  return stored && stored.version === version && stored.status !== 'indexed' ? stored : undefined;
};

const indexStored = async (db: Db, stored: Source, options: Options): Promise<void> => {
  const setStatus = async (status: SourceStatus, more: { content?: string } = {}, tx = db): Promise<void> => {
    const updated = await tx
      .update(sources)
      .set({ status, ...more })
      .where(isSame(stored))
      .returning({ id: sources.id });
    if (updated.length === 0) throw new ObsoleteVersionError();
  };

  const fetchText = stored.type === 'sheet' ? fetchSheet : stored.type === 'website' ? fetchWebsite : undefined;
  if (fetchText) await setStatus('crawling');
  const fetched = await fetchText?.(stored.sourceUrl!, options);
  await setStatus('parsing');
  const content = await readContent(db, stored, fetched, options.parser);
  await setStatus('chunking');
  const source = { ...stored, content };
  const rows = await chunkRows(source, options.parser);
  if (rows.length === 0) throw new UnreadableSourceError('empty');
  if (fetchText) {
    await db.transaction(async (tx) => {
      // The text limit counts both of two sources that are read at once.
      await lockAgent(tx, stored.agentId);
      await setStatus('embedding', { content: await limitedText(tx, stored, content!) }, tx);
    });
  } else await setStatus('embedding');
  const revision = await stageChunks(db, source, rows);
  const replaced = await db.transaction(async (tx) => {
    await lockAgent(tx, stored.agentId);
    const [current] = await tx.select().from(sources).where(eq(sources.id, stored.id)).for('update');
    if (current?.version !== stored.version) throw new ObsoleteVersionError();
    if (content !== null && content !== current.content) {
      const text = await limitedText(tx, stored, content);
      await tx.update(sources).set({ content: text }).where(eq(sources.id, stored.id));
    }
    const indexed = await publishChunks(tx, { ...current, content }, revision, rows.length);
    await emitSourceEvent(tx, indexed, 'source.synced', options.now());
    await addEmbeddingJob(tx, options.embedder, stored.id, new Date(options.now()));
    return current;
  });
  await deleteReplacedChunks(db, replaced);
};

const failSource = async (db: Db, source: Source, reason: string, now: number): Promise<void> => {
  await db.transaction(async (tx) => {
    const [failed] = await tx
      .update(sources)
      .set({ status: 'failed', error: reason })
      .where(isSame(source))
      .returning(sourceColumns);
    if (failed) await emitSourceEvent(tx, failed, 'source.failed', now);
  });
};

const reasonOf = (error: unknown): string | undefined => {
  if (error instanceof UnreadableSourceError) return error.message;
  return error instanceof EgressError || error instanceof UnparsableError ? error.reason : undefined;
};

const chunkRows = ({ agentId, items, content }: Source, parser: Parser): Promise<NewChunk[]> => {
  return items === null
    ? parser.run('passages', { agentId, text: content ?? '' })
    : parser.run('questions', { agentId, items });
};

/** Returns the chunks of a source from the text that is stored with them. None when it cannot be read any more. */
export const storedChunks = async (source: Source, parser: Parser): Promise<NewChunk[]> => {
  try {
    return await chunkRows(source, parser);
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return [];
  }
};

/** Returns the text of a source. A fetched source, an HTML file and a spreadsheet are checked against the plan's limit. */
const readContent = async (
  db: Db,
  source: Source,
  fetched: string | undefined,
  parser: Parser,
): Promise<string | null> => {
  if (fetched !== undefined) return limitedText(db, source, fetched);
  const file = source.content ?? '';
  if (source.type === 'file' && /\.html?$/i.test(source.name)) {
    const page = await parser.run('page', { file, address: 'https://file.invalid/' });
    return page ? limitedText(db, source, pageText(page)) : file;
  }
  if (source.type === 'file' && /\.(?:csv|tsv|tab)$/i.test(source.name)) {
    return limitedText(db, source, await parser.run('sheet', { file }));
  }
  return source.content;
};

const get = (url: string, accept: string, { allowLoopback, closing: signal }: Options): Promise<OutboundResponse> => {
  const limits = { timeoutMs: fetchTimeoutMs, maxBytes, maxRedirects, allowLoopback, signal };
  return sendRequest(url, { method: 'GET', headers: { accept }, ...limits });
};

const fetchSheet = async (url: string, options: Options): Promise<string> => {
  const { parser } = options;
  const { status, bytes, contentType } = await get(url, 'text/csv, text/plain;q=0.5', options);
  if (status !== 200) throw new UnreadableSourceError(`http_status_${status}`);
  return parser.run('sheet', { file: { bytes, contentType } });
};

const fetchWebsite = async (url: string, options: Options): Promise<string> => {
  const { parser, closing } = options;
  const text = await readWebsite(url, maxPages, async (address) => {
    const response = await get(address, 'text/html', options);
    const { status, bytes, contentType } = response;
    if (status !== 200 && address === url) throw new UnreadableSourceError(`http_status_${status}`);
    return status === 200 ? parser.run('page', { file: { bytes, contentType }, address: response.url }) : null;
  });
  // Pages that were not read any more are missing.
  closing.throwIfAborted();
  return text;
};

/** @throws {UnreadableSourceError} When the plan does not allow that much text. */
const limitedText = async (db: Db, source: Source, text: string): Promise<string> => {
  const [owner] = await db
    .select({ plan: workspaces.plan })
    .from(agents)
    .innerJoin(workspaces, eq(workspaces.id, agents.workspaceId))
    .where(eq(agents.id, source.agentId));
  const { fits } = await textAllowance(db, source.agentId, owner!.plan, countCharacters(text), source.id);
  if (!fits) throw new UnreadableSourceError('plan_text_limit');
  return text;
};

export const emitSourceEvent = async (
  tx: Db,
  source: ListedSource,
  type: 'source.synced' | 'source.failed',
  now: number,
): Promise<void> => {
  const [agent] = await tx.select().from(agents).where(eq(agents.id, source.agentId));
  const { workspaceId, id: agentId } = agent!;
  await emit(tx, { workspaceId, agentId, type, data: serializeSource(source), at: new Date(now) });
};
