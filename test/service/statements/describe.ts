/** Declares a test for each statement of the API contract, on a running service. */
import { after, before, describe, it } from 'node:test';
import { statements } from './all.ts';
import { beginSlowDeliveries } from './slow-deliveries.ts';
import { StatementContext, type TestedService } from './context.ts';

export interface StartedService extends TestedService {
  /** The time at which the checks start. */
  at: Date;
  stop(): Promise<void>;
}

/** Only the statements whose title contains this text. */
const wanted = process.env['STATEMENT'] ?? '';

export const describeStatements = (on: string, start: () => Promise<StartedService>): void => {
  describe(`the API contract, ${on}`, () => {
    let service: StartedService;
    let context: StatementContext;

    before(async () => {
      service = await start();
      context = new StatementContext(service);
      await context.server.listen();
      await context.moveTo(service.at);
      if (wanted === '') beginSlowDeliveries(context);
    });
    after(async () => {
      context.server.close();
      await service.stop();
    });

    for (const { section, statement, check } of statements) {
      const title = `§ ${section}: ${statement}`;
      if (title.includes(wanted)) it(title, () => check(context));
    }
  });
};
