/** The questions that an agent did not answer, and the team's answers to them. */
import { z } from '@hono/zod-openapi';
import { boundedLine, boundedText } from '../core/bounded-text.ts';
import type { Db } from '../db/database.ts';
import { findAgent } from '../db/find-agent.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { addQuestion, addWording } from '../knowledge/add-question.ts';
import { unansweredQuestions, type UnansweredGroup } from '../replies/unanswered.ts';
import { recordChange } from '../db/audit.ts';
import type { SourceOut } from '../resources/source.ts';
import type { TeamApp } from './environment.ts';
import { parseBody, parseQuery } from './parse-body.ts';
import { serializeSearch } from './search-explanation.ts';

const dayMs = 86_400_000;
const query = z.object({
  days: z.coerce.number().int().min(1).max(365).default(30),
  order: z.enum(['frequent', 'recent']).default('frequent'),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});

const wording = boundedLine(500);
const added = z.union([
  z.strictObject({ question: wording, answer: boundedLine(4000) }),
  z.strictObject({ question: wording, source_id: boundedText(100), alternative: wording }),
]);

export const unansweredRoutes = (app: TeamApp, dependencies: Dependencies): void => {
  const { db, now } = dependencies;

  app.get('/agents/:id/unanswered', async (context) => {
    const agent = await findAgent(db, context.var.caller, context.req.param('id'));
    const { days, order, limit } = parseQuery(context, query);
    const since = new Date(now() - days * dayMs);
    const { groups, isPartial } = await unansweredQuestions(dependencies, agent, { since, order, limit });
    return context.json({ data: groups.map(serializeGroup), partial: isPartial });
  });

  app.post('/agents/:id/questions', async (context) => {
    const { caller } = context.var;
    const agent = await findAgent(db, caller, context.req.param('id'));
    const sent = await parseBody(context, added);
    const record = (action: string) => async (tx: Db, source: SourceOut) => {
      await recordChange(tx, caller, { action, target: agent.id, detail: { source_id: source.id } }, new Date(now()));
      return source;
    };
    const source =
      'answer' in sent
        ? await addQuestion(dependencies, agent, caller.plan, sent, record('agent.question_added'))
        : await addWording(
            dependencies,
            agent,
            caller.plan,
            { ...sent, sourceId: sent.source_id },
            record('agent.wording_added'),
          );
    return context.json(source, 201);
  });
};

const serializeGroup = ({ handedOver, lastAt, conversationId, search, ...group }: UnansweredGroup) => {
  return {
    ...group,
    handed_over: handedOver,
    last_at: lastAt,
    conversation_id: conversationId,
    search: serializeSearch(search),
  };
};
