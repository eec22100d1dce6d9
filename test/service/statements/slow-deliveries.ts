/** Exchanges with webhook endpoints that take seconds. They run beside the other checks. */
import type { StatementContext } from './context.ts';
import { once } from './statement.ts';

const timer = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** An endpoint that never responds, and one that responds after most of the time it has. */
export const hanging = once(async (context) => {
  const silent = await context.webhook(['voice.session.ended']);
  const late = await context.webhook(['voice.session.ended']);
  const closed = new Promise<number>((resolve) => {
    silent.respondWith((response, { at }) => response.on('close', () => resolve(Date.now() - at)));
  });
  const endless = await context.webhook(['voice.session.ended']);
  const endlessClosed = new Promise<number>((resolve) => {
    endless.respondWith((response, { at }) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 100);
      response.on('close', () => {
        clearInterval(drip);
        resolve(Date.now() - at);
      });
    });
  });
  late.respondWith((response) => void timer(6500).then(() => response.writeHead(200).end()));
  for (const { id } of [silent, late, endless]) await context.team('POST', `/webhooks/${id}/test`, {});
  const silentFor = await closed;
  const endlessFor = await endlessClosed;
  const settled = async (endpoint: typeof silent) =>
    context.until(async () => {
      const [delivery] = await endpoint.log();
      return delivery.lastAttemptAt !== null && delivery;
    });
  const [silentDelivery, lateDelivery, endlessDelivery] = [
    await settled(silent),
    await settled(late),
    await settled(endless),
  ];
  for (const endpoint of [silent, late, endless]) await endpoint.remove();
  return { silentFor, endlessFor, silentDelivery, lateDelivery, endlessDelivery };
});

/** Begins the exchanges, whose statements are checked later. */
export const beginSlowDeliveries = (context: StatementContext): void => {
  // The statement that needs the exchange reports its failure.
  hanging(context).catch(() => {});
};
