/** Knowledge sources: texts and spreadsheets, indexed in the background. */
import { z } from '@hono/zod-openapi';
import { and, eq } from 'drizzle-orm';
import { maxTextSourceBodyBytes } from '../../contract/limits.ts';
import { findAgent, type Agent } from '../chat/conversations.ts';
import { agents, sources } from '../db/schema.ts';
import type { Db } from '../db/open.ts';
import { addJob } from '../jobs/queue.ts';
import type { App } from '../app.ts';
import type { ApiKey, Dependencies } from '../http/environment.ts';
import { ApiError } from '../core/errors.ts';
import { once, type Hold } from '../http/idempotency.ts';
import { newId, sha256 } from '../core/ids.ts';
import { conflict, created, json, jsonBody, noContent, operation } from '../http/operation.ts';
import { newestFirst, page, pageOf, pageQuery } from '../http/pages.ts';
import { basePath } from '../core/version.ts';
import { requireTextAllowance } from '../knowledge/text-limit.ts';
import { requirePublicUrl } from '../egress/check-url.ts';
import { serialiseSource, sourceOut, type Source, type SourceOut } from '../resources/source.ts';

const name = z.string().trim().min(1).max(200);
const text = z.string().trim().min(1);

const newSource = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text'), name, text }),
    z.object({ type: z.literal('sheet'), name: name.optional(), url: z.string().max(2000) }),
  ])
  .openapi('NewSource');

const textChange = z.object({ name: name.optional(), text }).openapi('SourceChange');

const contentOut = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.literal('text'),
    text: z.string(),
    content_sha256: z.string(),
    version: z.number().int(),
  })
  .openapi('SourceContent');

const agentPath = z.object({ agent_id: z.string() });
const sourcePath = agentPath.extend({ source_id: z.string() });

export const sourceRoutes = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;

  const find = async (key: ApiKey, agentId: string, id: string): Promise<Source> => {
    const agent = await findAgent(db, key, agentId);
    const [source] = await db
      .select()
      .from(sources)
      .where(and(eq(sources.id, id), eq(sources.agentId, agent.id)));
    if (!source) throw new ApiError('not_found');
    return source;
  };

  const list = operation(
    dependencies,
    'get',
    '/agents/{agent_id}/sources',
    { needs: 'agents:read' },
    {
      operationId: 'listSources',
      summary: 'The sources of an agent, newest first.',
      request: { params: agentPath, query: pageQuery },
      responses: { 200: json(pageOf(sourceOut), 'A page of sources.') },
    },
  );
  app.openapi(list, async (context) => {
    const agent = await findAgent(db, context.var.key, context.req.valid('param').agent_id);
    const { limit, cursor } = context.req.valid('query');
    const { after, order } = newestFirst(sources.createdAt, sources.id, cursor);
    const found = await db
      .select()
      .from(sources)
      .where(and(eq(sources.agentId, agent.id), after))
      .orderBy(...order)
      .limit(limit + 1);
    return context.json(
      page(found, limit, serialiseSource, (source) => [source.createdAt.toISOString(), source.id]),
      200,
    );
  });

  const add = operation(
    dependencies,
    'post',
    '/agents/{agent_id}/sources',
    { needs: 'sources:write', bodyLimit: maxTextSourceBodyBytes },
    {
      operationId: 'addSource',
      summary: 'Add a text, or a spreadsheet published as CSV; it is indexed in the background.',
      request: { params: agentPath, ...jsonBody(newSource) },
      responses: { 202: created(sourceOut, 'The source, still to be indexed.'), 409: conflict },
    },
  );
  app.openapi(add, async (context) => {
    const key = context.var.key;
    const agent = await findAgent(db, key, context.req.valid('param').agent_id);
    const sent = context.req.valid('json');
    const answer = await once<SourceOut>(dependencies, context, async ({ keep }) => {
      if (sent.type === 'sheet') await requirePublicUrl(sent.url, dependencies.allowLoopback);
      return create(agent, key, sent, keep);
    });
    context.header('Location', `${basePath}/agents/${agent.id}/sources/${answer.id}`);
    return context.json(answer, 202);
  });

  const create = async (
    agent: Agent,
    key: ApiKey,
    sent: z.infer<typeof newSource>,
    keep: Hold<SourceOut>['keep'],
  ): Promise<SourceOut> => {
    const at = new Date(dependencies.now());
    const url = sent.type === 'sheet' ? new URL(sent.url) : undefined;
    return db.transaction(async (tx) => {
      await lockAgent(tx, agent);
      if (sent.type === 'text') await requireTextAllowance(tx, agent.id, key.plan, sent.text.length);
      if (url && (await hasSheet(tx, agent, url.href))) throw new ApiError('conflict', { details: 'sheet_exists' });
      const [source] = await tx
        .insert(sources)
        .values({
          id: newId('src'),
          agentId: agent.id,
          type: sent.type,
          name: sent.name ?? url!.hostname,
          status: 'uploaded',
          sourceUrl: url?.href ?? null,
          content: sent.type === 'text' ? sent.text : null,
          createdAt: at,
          updatedAt: at,
        })
        .returning();
      await addJob(tx, 'index_source', { source: source!.id, version: source!.version }, at);
      return keep(tx, serialiseSource(source!));
    });
  };

  const get = operation(
    dependencies,
    'get',
    '/agents/{agent_id}/sources/{source_id}',
    { needs: 'agents:read' },
    {
      operationId: 'getSource',
      summary: 'One source, with how far its indexing is.',
      request: { params: sourcePath },
      responses: { 200: json(sourceOut, 'The source.') },
    },
  );
  app.openapi(get, async (context) => {
    const { agent_id, source_id } = context.req.valid('param');
    return context.json(serialiseSource(await find(context.var.key, agent_id, source_id)), 200);
  });

  const change = operation(
    dependencies,
    'patch',
    '/agents/{agent_id}/sources/{source_id}',
    { needs: 'sources:write', bodyLimit: maxTextSourceBodyBytes },
    {
      operationId: 'changeSource',
      summary: 'Save a text anew; the version before answers until this one is indexed.',
      request: { params: sourcePath, ...jsonBody(textChange) },
      responses: { 202: json(sourceOut, 'The source, still to be indexed.'), 409: conflict },
    },
  );
  app.openapi(change, async (context) => {
    const { agent_id, source_id } = context.req.valid('param');
    const key = context.var.key;
    const agent = await findAgent(db, key, agent_id);
    const { id, type } = await find(key, agent_id, source_id);
    if (type !== 'text') throw new ApiError('not_found');
    const sent = context.req.valid('json');
    const at = new Date(dependencies.now());
    const saved = await db.transaction(async (tx) => {
      await lockAgent(tx, agent);
      const [source] = await tx.select().from(sources).where(eq(sources.id, id)).for('update');
      if (!source) throw new ApiError('not_found');
      if (source.status !== 'indexed' && source.status !== 'failed') {
        throw new ApiError('conflict', { details: 'indexing' });
      }
      await requireTextAllowance(tx, agent.id, key.plan, sent.text.length, id);
      const [next] = await tx
        .update(sources)
        .set({
          content: sent.text,
          name: sent.name ?? source.name,
          status: 'uploaded',
          error: null,
          version: source.version + 1,
          updatedAt: at,
        })
        .where(eq(sources.id, id))
        .returning();
      await addJob(tx, 'index_source', { source: id, version: next!.version }, at);
      return next!;
    });
    return context.json(serialiseSource(saved), 202);
  });

  const remove = operation(
    dependencies,
    'delete',
    '/agents/{agent_id}/sources/{source_id}',
    { needs: 'sources:write' },
    {
      operationId: 'deleteSource',
      summary: 'Remove a source; the agent stops answering from it at once.',
      request: { params: sourcePath },
      responses: { 204: noContent },
    },
  );
  app.openapi(remove, async (context) => {
    const { agent_id, source_id } = context.req.valid('param');
    const { id } = await find(context.var.key, agent_id, source_id);
    await db.delete(sources).where(eq(sources.id, id));
    return context.body(null, 204);
  });

  const content = operation(
    dependencies,
    'get',
    '/agents/{agent_id}/sources/{source_id}/content',
    { needs: 'agents:read' },
    {
      operationId: 'getSourceContent',
      summary: 'The text of a text source.',
      request: { params: sourcePath },
      responses: { 200: json(contentOut, 'The text as it was sent.') },
    },
  );
  app.openapi(content, async (context) => {
    const { agent_id, source_id } = context.req.valid('param');
    const source = await find(context.var.key, agent_id, source_id);
    if (source.type !== 'text' || source.content === null) throw new ApiError('not_found');
    const { id, name: label, version, content: stored } = source;
    const shown = { id, name: label, type: 'text' as const, text: stored, content_sha256: sha256(stored), version };
    return context.json(shown, 200);
  });
};

/** Two saves at once see each other's text. */
const lockAgent = async (tx: Db, { id }: Agent): Promise<void> => {
  await tx.select({ id: agents.id }).from(agents).where(eq(agents.id, id)).for('update');
};

const hasSheet = async (tx: Db, agent: Agent, url: string): Promise<boolean> => {
  const found = await tx
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.agentId, agent.id), eq(sources.type, 'sheet'), eq(sources.sourceUrl, url)));
  return found.length > 0;
};
