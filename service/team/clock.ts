/** For development: reads and moves the time of the service, so that what takes a day can be tested in seconds. */
import { z } from '@hono/zod-openapi';
import type { MovableClock } from '../db/clock.ts';
import type { TeamApp } from './environment.ts';
import { parseBody } from './parse-body.ts';

/** Ten years, so that every time stays one that the database can store. */
const maxSeconds = 10 * 366 * 86_400;
const seconds = z.number().min(-maxSeconds).max(maxSeconds);

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
    const realTime = clock.now() - clock.offset();
    if ('now' in sent) await clock.move(Date.parse(sent.now) - realTime);
    else if ('offset_seconds' in sent) await clock.move(Math.round(sent.offset_seconds * 1000));
    else await clock.move(clock.offset() + Math.round(sent.advance_seconds * 1000));
    return context.json(state());
  });
};
