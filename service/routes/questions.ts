/** `POST /agents/{agent_id}/sources/questions`: imports questions with answers, and indexes them in the same call. */
import { z } from '@hono/zod-openapi';
import { maxQuestionImportItems } from '../../contract/limits.ts';
import { agentOfCall } from '../http/authenticate.ts';
import type { App } from '../http/environment.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { runOnce } from '../http/idempotency.ts';
import { conflict, created, importFailed, jsonBody, operation } from '../http/operation.ts';
import { basePath } from '../core/version.ts';
import { importQuestions } from '../knowledge/import-questions.ts';
import { sourceOut, type SourceOut } from '../resources/source.ts';
import { boundedLine } from '../core/bounded-text.ts';

const question = boundedLine(500);

const batch = z
  .object({
    name: boundedLine(200),
    items: z
      .array(
        z
          .object({
            question,
            answer: boundedLine(4000),
            alternatives: z.array(question).max(20).optional(),
          })
          .openapi('QuestionIn'),
      )
      .min(1)
      .max(maxQuestionImportItems),
  })
  .openapi('QuestionImport');

export const questionRoutes = (app: App, dependencies: Dependencies): void => {
  const importing = operation(dependencies, {
    method: 'post',
    path: '/agents/{agent_id}/sources/questions',
    scope: 'sources:write',
    isRepeatable: true,
    operationId: 'importQuestions',
    summary: 'Import questions with their answers. A batch with the same name is replaced.',
    request: { params: z.object({ agent_id: z.string() }), ...jsonBody(batch) },
    responses: { 201: created(sourceOut, 'The indexed batch.'), 409: conflict, 502: importFailed },
  });
  app.openapi(importing, async (context) => {
    const agent = agentOfCall(context);
    const { name, items } = context.req.valid('json');
    const completeItems = items.map(({ alternatives = [], ...item }) => ({ ...item, alternatives }));
    const response = await runOnce<SourceOut>(dependencies, context, ({ saveResponse }) =>
      importQuestions(dependencies, agent, context.var.key.plan, { name, items: completeItems }, saveResponse),
    );
    context.header('Location', `${basePath}/agents/${agent.id}/sources/${response.id}`);
    return context.json(response, 201);
  });
};
