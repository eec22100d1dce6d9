/** For development: reads and moves the time of the service, so that what takes a day can be tested in seconds. */
import { z } from '@hono/zod-openapi';
import { invalid } from '../core/errors.ts';
import type { MovableClock } from '../db/clock.ts';
import type { TeamApp } from './environment.ts';
import { parseBody } from './parse-body.ts';

/** A hundred years: every time, also one that is years later, stays one that the database can store. */
const maxOffset = 100 * 366 * 86_400_000;
const seconds = z.number();

const change = z.union([
  z.strictObject({ advance_seconds: seconds }),
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
  z.strictObject({ offset_seconds: seconds }),
]);

export const clockRoutes = (app: TeamApp, clock: MovableClock): void => {
  const state = () => ({ now: new Date(clock.now()).toISOString(), offset_seconds: clock.offset() / 1000 });

  app.get('/clock', (context) => context.json(state()));

  app.post('/clock', async (context) => {
    const sent = await parseBody(context, change);
    const offset = offsetOf(sent, clock);
    if (!(Math.abs(offset) <= maxOffset)) throw invalid(Object.keys(sent)[0]!, 'too_far', 'At most 100 years away.');
    await clock.move(offset);
    return context.json(state());
  });
};

const offsetOf = (sent: z.infer<typeof change>, clock: MovableClock): number => {
  if ('now' in sent) return Date.parse(sent.now) - (clock.now() - clock.offset());
  if ('offset_seconds' in sent) return Math.round(sent.offset_seconds * 1000);
  return clock.offset() + Math.round(sent.advance_seconds * 1000);
};
