/** The operations on knowledge sources: texts and spreadsheets, which are indexed in the background. */
import { countCharacters } from '../../contract/characters.ts';
import { z } from '@hono/zod-openapi';
import { and, eq } from 'drizzle-orm';
import { maxTextSourceBodyBytes } from '../../contract/limits.ts';
import { requireRow } from '../db/require-row.ts';
import type { Agent, ListedSource } from '../db/records.ts';
import type { Db } from '../db/database.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { agentOfCall } from '../http/authenticate.ts';
import { runOnce } from '../http/idempotency.ts';
import type { SaveResponse } from '../db/repeatable-call.ts';
import { lockAgent } from '../db/row-locks.ts';
import { sourceColumns, sources } from '../db/schema.ts';
import { addJob } from '../jobs/queue.ts';
import type { ApiKey, App } from '../http/environment.ts';
import { ApiError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { conflict, created, json, jsonBody, noContent, operation } from '../http/operation.ts';
import { byCreation, newestFirst, page, pageOf, pageQuery } from '../http/pages.ts';
import { basePath } from '../core/version.ts';
import { requireTextAllowance } from '../knowledge/text-limit.ts';
import { requirePublicUrl } from '../egress/check-url.ts';
import { serializeSource, sourceOut, type SourceOut } from '../resources/source.ts';
import { boundedLine, boundedText } from '../core/bounded-text.ts';

const name = boundedLine(200);
const text = z.string().trim().min(1);

const newSource = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text'), name, text }),
    z.object({ type: z.literal('sheet'), name: name.optional(), url: boundedText(2000) }),
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
  listSourcesRoute(app, dependencies);
  addSourceRoute(app, dependencies);
  getSourceRoute(app, dependencies);
  changeSourceRoute(app, dependencies);
  deleteSourceRoute(app, dependencies);
  getSourceContentRoute(app, dependencies);
};

const listSourcesRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'get',
    path: '/agents/{agent_id}/sources',
    scope: 'agents:read',
    operationId: 'listSources',
    summary: 'The sources of an agent, newest first.',
    request: { params: agentPath, query: pageQuery },
    responses: { 200: json(pageOf(sourceOut), 'A page of sources.') },
  });
  app.openapi(route, async (context) => {
    const agent = agentOfCall(context);
    const { limit, cursor } = context.req.valid('query');
    const { after, order } = newestFirst(sources.createdAt, sources.id, cursor);
    const found = await db
      .select(sourceColumns)
      .from(sources)
      .where(and(eq(sources.agentId, agent.id), after))
      .orderBy(...order)
      .limit(limit + 1);
    return context.json(page(found, limit, serializeSource, byCreation), 200);
  });
};

const addSourceRoute = (app: App, dependencies: Dependencies): void => {
  const route = operation(dependencies, {
    method: 'post',
    path: '/agents/{agent_id}/sources',
    scope: 'sources:write',
    bodyLimit: maxTextSourceBodyBytes,
    isRepeatable: true,
    operationId: 'addSource',
    summary: 'Add a text, or a spreadsheet that is published as CSV. It is indexed in the background.',
    request: { params: agentPath, ...jsonBody(newSource) },
    responses: { 202: created(sourceOut, 'The source, which is not indexed yet.'), 409: conflict },
  });
  app.openapi(route, async (context) => {
    const key = context.var.key;
    const agent = agentOfCall(context);
    const sent = context.req.valid('json');
    const response = await runOnce<SourceOut>(dependencies, context, async ({ saveResponse }) => {
      if (sent.type === 'sheet') await requirePublicUrl(sent.url, dependencies.allowLoopback);
      return createSource(dependencies, agent, key, sent, saveResponse);
    });
    context.header('Location', `${basePath}/agents/${agent.id}/sources/${response.id}`);
    return context.json(response, 202);
  });
};

const getSourceRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'get',
    path: '/agents/{agent_id}/sources/{source_id}',
    scope: 'agents:read',
    operationId: 'getSource',
    summary: 'One source with the status of its indexing.',
    request: { params: sourcePath },
    responses: { 200: json(sourceOut, 'The source.') },
  });
  app.openapi(route, async (context) => {
    const source = await findSource(db, agentOfCall(context), context.req.valid('param').source_id);
    return context.json(serializeSource(source), 200);
  });
};

const changeSourceRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'patch',
    path: '/agents/{agent_id}/sources/{source_id}',
    scope: 'sources:write',
    bodyLimit: maxTextSourceBodyBytes,
    operationId: 'changeSource',
    summary: 'Replace a text. The previous version stays in use until the new one is indexed.',
    request: { params: sourcePath, ...jsonBody(textChange) },
    responses: { 202: json(sourceOut, 'The source, which is not indexed yet.'), 409: conflict },
  });
  app.openapi(route, async (context) => {
    const agent = agentOfCall(context);
    const { id, type } = await findSource(db, agent, context.req.valid('param').source_id);
    if (type !== 'text') throw new ApiError('not_found');
    const sent = context.req.valid('json');
    const at = new Date(dependencies.now());
    const saved = await db.transaction(async (tx) => {
      await lockAgent(tx, agent.id);
      const source = await requireRow(tx.select(sourceColumns).from(sources).where(eq(sources.id, id)).for('update'));
      if (source.status !== 'indexed' && source.status !== 'failed') {
        throw new ApiError('conflict', { details: 'indexing' });
      }
      await requireTextAllowance(tx, agent.id, context.var.key.plan, countCharacters(sent.text), id);
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
        .returning(sourceColumns);
      await addJob(tx, 'index_source', { source: id, version: next!.version }, at);
      return next!;
    });
    return context.json(serializeSource(saved), 202);
  });
};

const deleteSourceRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'delete',
    path: '/agents/{agent_id}/sources/{source_id}',
    scope: 'sources:write',
    operationId: 'deleteSource',
    summary: 'Remove a source. The agent stops using it at once.',
    request: { params: sourcePath },
    responses: { 204: noContent },
  });
  app.openapi(route, async (context) => {
    const { id, agentId } = await findSource(db, agentOfCall(context), context.req.valid('param').source_id);
    await db.transaction(async (tx) => {
      await lockAgent(tx, agentId);
      await tx.delete(sources).where(eq(sources.id, id));
    });
    return context.body(null, 204);
  });
};

const getSourceContentRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'get',
    path: '/agents/{agent_id}/sources/{source_id}/content',
    scope: 'agents:read',
    operationId: 'getSourceContent',
    summary: 'The text of a text source.',
    request: { params: sourcePath },
    responses: { 200: json(contentOut, 'The text.') },
  });
  app.openapi(route, async (context) => {
    const { id, type } = await findSource(db, agentOfCall(context), context.req.valid('param').source_id);
    if (type !== 'text') throw new ApiError('not_found');
    const source = await requireRow(db.select().from(sources).where(eq(sources.id, id)));
    const { name: label, version, content, contentSha256 } = source;
    // A text source always has a text.
    const body = { id, name: label, type, text: content!, content_sha256: contentSha256!, version };
    return context.json(body, 200);
  });
};

const findSource = (db: Db, agent: Agent, id: string): Promise<ListedSource> => {
  const isSource = and(eq(sources.id, id), eq(sources.agentId, agent.id));
  return requireRow(db.select(sourceColumns).from(sources).where(isSource));
};

const createSource = async (
  dependencies: Dependencies,
  agent: Agent,
  key: ApiKey,
  sent: z.infer<typeof newSource>,
  saveResponse: SaveResponse<SourceOut>,
): Promise<SourceOut> => {
  const { db } = dependencies;
  const at = new Date(dependencies.now());
  const url = sent.type === 'sheet' ? new URL(sent.url) : undefined;
  return db.transaction(async (tx) => {
    // The text limit counts both of two sources that are saved at once.
    await lockAgent(tx, agent.id);
    if (sent.type === 'text') await requireTextAllowance(tx, agent.id, key.plan, countCharacters(sent.text));
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
      .returning(sourceColumns);
    await addJob(tx, 'index_source', { source: source!.id, version: source!.version }, at);
    return saveResponse(tx, serializeSource(source!));
  });
};

const hasSheet = async (tx: Db, agent: Agent, url: string): Promise<boolean> => {
  const isSheet = and(eq(sources.agentId, agent.id), eq(sources.type, 'sheet'), eq(sources.sourceUrl, url));
  return (await tx.$count(sources, isSheet)) > 0;
};
