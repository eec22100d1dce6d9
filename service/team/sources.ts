/** Adds files and websites to an agent's knowledge. Only the dashboard can do this (the contract's "Sources"). */
import { countCharacters } from '../../contract/characters.ts';
import { z } from '@hono/zod-openapi';
import { recordChange } from '../db/audit.ts';
import { findAgent } from '../db/find-agent.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { lockAgent } from '../db/row-locks.ts';
import { sourceColumns, sources } from '../db/schema.ts';
import { addJob } from '../jobs/queue.ts';
import { newId } from '../core/ids.ts';
import { requireTextAllowance } from '../knowledge/text-limit.ts';
import { requirePublicUrl } from '../egress/check-url.ts';
import { serializeSource } from '../resources/source.ts';
import type { TeamApp } from './environment.ts';
import { parseBody } from './parse-body.ts';
import { boundedLine, boundedText } from '../core/bounded-text.ts';

const newSource = z.discriminatedUnion('type', [
  /** The text of a file, which the browser has read: plain text, Markdown, CSV or HTML. */
  z.object({ type: z.literal('file'), name: boundedLine(200), text: z.string().trim().min(1) }),
  z.object({ type: z.literal('website'), url: boundedText(2000) }),
]);

export const teamSourceRoutes = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;

  app.post('/agents/:id/sources', async (context) => {
    const { caller } = context.var;
    const agent = await findAgent(db, caller, context.req.param('id'));
    const sent = await parseBody(context, newSource);
    if (sent.type === 'website') await requirePublicUrl(sent.url, dependencies.allowLoopback);
    const content = sent.type === 'website' ? null : sent.text;
    const url = sent.type === 'website' ? new URL(sent.url) : null;
    const at = new Date(dependencies.now());
    const added = await db.transaction(async (tx) => {
      await lockAgent(tx, agent.id);
      if (content !== null) await requireTextAllowance(tx, agent.id, caller.plan, countCharacters(content));
      const [source] = await tx
        .insert(sources)
        .values({
          id: newId('src'),
          agentId: agent.id,
          type: sent.type,
          name: sent.type === 'file' ? sent.name : url!.hostname,
          status: 'uploaded',
          sourceUrl: url?.href ?? null,
          content,
          createdAt: at,
          updatedAt: at,
        })
        .returning(sourceColumns);
      const change = { action: 'agent.source_added', target: agent.id, detail: { source_id: source!.id } };
      await recordChange(tx, caller, change, at);
      await addJob(tx, 'index_source', { source: source!.id, version: source!.version }, at);
      return source!;
    });
    return context.json(serializeSource(added), 202);
  });
};
