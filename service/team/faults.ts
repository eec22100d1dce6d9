/** For development: makes the next calls of the API fail, stall or end early. */
import { z } from '@hono/zod-openapi';
import { errors, errorVariants, type ErrorName } from '../core/errors.ts';
import type { Faults } from '../http/faults.ts';
import type { TeamApp } from './environment.ts';
import { parseBody } from './parse-body.ts';
import { boundedText } from '../core/bounded-text.ts';

const errorNames = [...Object.keys(errors), ...Object.keys(errorVariants)] as ErrorName[];
const maxTimes = 1000;
const maxFaults = 100;

const match = {
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']).optional(),
  path: boundedText(200).optional(),
  times: z.number().int().min(1).max(maxTimes).default(1),
};
const afterEvents = z.number().int().min(0).max(10_000).optional();
const seconds = z.number().min(0).max(3600);

const fault = z.union([
  z.strictObject({
    ...match,
    kind: z.literal('fail'),
    code: z.enum(errorNames),
    retry_after: z.number().int().min(0).max(86_400).optional(),
  }),
  z.strictObject({ ...match, kind: z.literal('fail'), status: z.number().int().min(400).max(599) }),
  z.strictObject({ ...match, kind: z.literal('stall'), seconds, after_events: afterEvents }),
  z.strictObject({
    ...match,
    kind: z.literal('cut'),
    is_processed: z.boolean().default(true),
    after_events: afterEvents,
  }),
]);

const body = z.object({ faults: z.array(fault).min(1).max(maxFaults) });

export const faultRoutes = (app: TeamApp, faults: Faults): void => {
  app.get('/faults', (context) => context.json({ data: faults.list() }));

  app.post('/faults', async (context) => {
    const sent = await parseBody(context, body);
    faults.add(sent.faults);
    return context.json({ data: faults.list() }, 201);
  });

  app.delete('/faults', (context) => {
    faults.clear();
    return context.body(null, 204);
  });
};
