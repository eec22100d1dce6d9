/** `POST /agents/{agent_id}/sources/questions`: a batch of questions and answers, indexed before the answer. */
import { z } from '@hono/zod-openapi';
import { maxQuestionImportItems } from '../../contract/limits.ts';
import { findAgent } from '../chat/conversations.ts';
import type { App } from '../app.ts';
import type { Dependencies } from '../http/environment.ts';
import { once } from '../http/idempotency.ts';
import { conflict, created, failedHere, jsonBody, operation } from '../http/operation.ts';
import { basePath } from '../core/version.ts';
import { importQuestions } from '../knowledge/import-questions.ts';
import { sourceOut, type SourceOut } from '../resources/source.ts';

const question = z.string().trim().min(1).max(500);

const batch = z
  .object({
    name: z.string().trim().min(1).max(200),
    items: z
      .array(
        z
          .object({
            question,
            answer: z.string().trim().min(1).max(4000),
            alternatives: z.array(question).max(20).optional(),
          })
          .openapi('QuestionIn'),
      )
      .min(1)
      .max(maxQuestionImportItems),
  })
  .openapi('QuestionImport');

export const questionRoutes = (app: App, dependencies: Dependencies): void => {
  const importing = operation(
    dependencies,
    'post',
    '/agents/{agent_id}/sources/questions',
    { needs: 'sources:write' },
    {
      operationId: 'importQuestions',
      summary: 'Import questions with their answers; a batch of the same name is replaced.',
      request: { params: z.object({ agent_id: z.string() }), ...jsonBody(batch) },
      responses: { 201: created(sourceOut, 'The batch, indexed.'), 409: conflict, 502: failedHere },
    },
  );
  app.openapi(importing, async (context) => {
    const key = context.var.key;
    const agent = await findAgent(dependencies.db, key, context.req.valid('param').agent_id);
    const { name, items } = context.req.valid('json');
    const whole = items.map(({ alternatives = [], ...item }) => ({ ...item, alternatives }));
    const answer = await once<SourceOut>(dependencies, context, ({ keep }) =>
      importQuestions(dependencies, agent, key.plan, { name, items: whole }, keep),
    );
    context.header('Location', `${basePath}/agents/${agent.id}/sources/${answer.id}`);
    return context.json(answer, 201);
  });
};
