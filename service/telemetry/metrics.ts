/** Metrics for Prometheus: of the operations, of the process, and of the work that waits in the database. */
import { and, eq, sql } from 'drizzle-orm';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observation, Observer, OperationLabels, OperationName } from '../core/observer.ts';
import { quotaOf } from '../chat/quota.ts';
import { queryRows, type Db, type DatabaseContext } from '../db/database.ts';
import { webhookEndpoints, workspaces } from '../db/schema.ts';

export interface Metrics {
  observer: Observer;
  /** Adds the metrics that are read from the database at each scrape. */
  watch(context: DatabaseContext, isDraining: () => boolean): void;
  /** Returns the metrics in the text format of Prometheus. */
  read(): Promise<{ contentType: string; text: string }>;
}

const prefix = 'workspace_';
/** Seconds. A reply from the knowledge takes milliseconds, one from a language model many seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const labelNames: { [Name in OperationName]: (keyof OperationLabels[Name] & string)[] } = {
  request: ['method', 'route', 'status'],
  turn: ['outcome', 'degraded'],
  delivery: ['result'],
  job: ['kind', 'result'],
};

const help: Record<OperationName, string> = {
  request: 'HTTP requests, by the pattern of their route.',
  turn: 'Turns of conversations, until the reply has ended.',
  delivery: 'Attempts to deliver an event to a webhook endpoint.',
  job: 'Runs of background jobs.',
};

export const createMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix });
  return {
    observer: createObserver(registry),
    watch(context, isDraining) {
      watchDatabase(registry, context);
      gauge(registry, 'draining', 'Whether the process stops and accepts no more turns.', () => Number(isDraining()));
    },
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
};

const createObserver = (registry: Registry): Observer => {
  const registers = [registry];
  const histogram = (name: string, text: string, labels: string[] = []) =>
    new Histogram({ name: `${prefix}${name}_seconds`, help: text, labelNames: labels, buckets, registers });
  const durations = {
    request: histogram('request', help.request, labelNames.request),
    turn: histogram('turn', help.turn, labelNames.turn),
    delivery: histogram('delivery', help.delivery, labelNames.delivery),
    job: histogram('job', help.job, labelNames.job),
  };
  const firstText = histogram('turn_first_text', 'The time until the first text of a reply.');
  const stages = histogram('turn_stage', 'The time that each stage of a turn took.', ['stage']);
  const running = new Gauge({
    name: `${prefix}running`,
    help: 'Operations in flight.',
    labelNames: ['operation'],
    registers,
  });

  return {
    start<Name extends OperationName>(operation: Name): Observation<Name> {
      const started = performance.now();
      const seconds = () => (performance.now() - started) / 1000;
      let hasText = false;
      running.inc({ operation });
      return {
        run: (work) => work(),
        markFirstText() {
          if (!hasText) firstText.observe(seconds());
          hasText = true;
        },
        markStage: (stage, took) => stages.observe({ stage }, took),
        end(labels) {
          running.dec({ operation });
          const texts = Object.entries(labels).map(([name, value]) => [name, String(value)]);
          durations[operation].observe(Object.fromEntries(texts) as Record<string, string>, seconds());
        },
      };
    },
  };
};

const gauge = (registry: Registry, name: string, text: string, read: () => number | Promise<number>): void => {
  const created: Gauge = new Gauge({
    name: `${prefix}${name}`,
    help: text,
    registers: [registry],
    async collect() {
      // Without a database, the other metrics are still of use.
      await Promise.resolve(read()).then(
        (value) => created.set(value),
        () => created.set(Number.NaN),
      );
    },
  });
};

/** Rows that a gauge counts at most, so that a scrape stays cheap. */
const maxCounted = 10_000;

const watchDatabase = (registry: Registry, { db, now }: DatabaseContext): void => {
  const at = () => sql`${new Date(now()).toISOString()}::timestamptz`;
  gauge(registry, 'jobs_due', 'Background jobs that are due, in the whole database.', () =>
    count(db, sql`select 1 from jobs where run_at <= ${at()}`),
  );
  gauge(registry, 'deliveries_waiting', 'Deliveries that are due and not in flight, in the whole database.', () =>
    count(db, sql`select 1 from deliveries where status = 'pending' and holder is null and next_attempt_at <= ${at()}`),
  );
  quotaGauge(registry, { db, now });
  failingEndpointsGauge(registry, db);
  gauge(registry, 'notices_failed', 'E-mail notices whose attempts are used up, in the whole database.', () =>
    count(db, sql`select 1 from notices where status = 'failed'`),
  );
  gauge(registry, 'dead_letters', 'Deliveries whose retries are used up, in the whole database.', () =>
    count(db, sql`select 1 from deliveries where status = 'failed'`),
  );
};

const count = async (db: Db, rows: ReturnType<typeof sql>): Promise<number> => {
  const [found] = await queryRows<{ total: number }>(
    db,
    sql`select count(*)::int as total from (${rows} limit ${maxCounted}) as counted`,
  );
  return found?.total ?? 0;
};

/** Workspaces, or endpoints, that have a series of their own at most. */
const maxSeries = 50;

/** Sets a series for each row at each scrape. */
const gaugeOfRows = (
  registry: Registry,
  name: string,
  text: string,
  label: string,
  read: () => Promise<{ of: string; value: number }[]>,
): void => {
  const created: Gauge = new Gauge({
    name: `${prefix}${name}`,
    help: text,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const rows = await read().catch(() => []);
      created.reset();
      for (const { of, value } of rows) created.set({ [label]: of }, value);
    },
  });
};

const quotaGauge = (registry: Registry, { db, now }: DatabaseContext): void => {
  gaugeOfRows(
    registry,
    'quota_used_ratio',
    'The used share of the conversations of this month.',
    'workspace',
    async () => {
      const found = await db.select({ id: workspaces.id }).from(workspaces).limit(maxSeries);
      const quotas = found.map(async ({ id }) => ({ of: id, quota: await quotaOf(db, id, now()) }));
      return (await Promise.all(quotas)).map(({ of, quota: { included, extra, used } }) => ({
        of,
        value: used / Math.max(1, included + extra),
      }));
    },
  );
};

/** Endpoints that work have no series, so that the number of series stays small. */
const failingEndpointsGauge = (registry: Registry, db: Db): void => {
  const text = 'Webhook endpoints whose last attempt failed: the failed events in a row.';
  gaugeOfRows(registry, 'webhook_failing', text, 'endpoint', () =>
    db
      .select({ of: webhookEndpoints.id, value: webhookEndpoints.failuresInRow })
      .from(webhookEndpoints)
      .where(and(webhookEndpoints.enabled, webhookEndpoints.isFailing))
      .limit(maxSeries),
  );
  gauge(registry, 'webhooks_disabled', 'Webhook endpoints that were disabled after failures.', () =>
    db.$count(webhookEndpoints, eq(webhookEndpoints.disabledReason, 'failures')),
  );
};
