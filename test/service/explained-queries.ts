/** Records the queries of a service and reads their plans. */
import type { Db } from '../../service/service.ts';

interface RecordedQuery {
  text: string;
  values: unknown[];
}

export interface Recorder {
  start(): void;
  /** Returns the queries since `start` that only read. */
  stop(): RecordedQuery[];
}

interface Client {
  query(
    query: { text: string } | string,
    values?: unknown[],
    ...options: unknown[]
  ): Promise<{ rows: Record<string, unknown>[] }>;
}

/** The client of the driver: a pool, or PGlite. */
const clientOf = (db: Db): Client => (db as unknown as { $client: Client }).$client;

/** Records what runs outside of transactions. The lists of the API use none. */
export const recordQueries = (db: Db): Recorder => {
  const client = clientOf(db);
  const query = client.query.bind(client);
  let recorded: RecordedQuery[] | undefined;
  client.query = (given, values, ...options) => {
    const text = typeof given === 'string' ? given : given.text;
    if (/^\(*\s*select\b/i.test(text)) recorded?.push({ text, values: values ?? [] });
    return query(given, values, ...options);
  };
  return {
    start: () => void (recorded = []),
    stop: () => {
      const all = recorded ?? [];
      recorded = undefined;
      return all;
    },
  };
};

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  'Actual Total Time'?: number;
  Plans?: PlanNode[];
}

export interface Explained {
  query: string;
  /** The pages of the database that the query read, from the cache or the disk. */
  buffers: number;
  ms: number;
  /** The large tables that the query read as a whole. */
  scanned: string[];
  text: string;
}

const largeTables = [
  'action_calls',
  'contact_agents',
  'contacts',
  'conversations',
  'leads',
  'messages',
  'submissions',
  'ticket_tags',
  'tickets',
];

export const explained = async (db: Db, { text, values }: RecordedQuery): Promise<Explained> => {
  const { rows } = await clientOf(db).query({ text: `explain (analyze, buffers, format json) ${text}` }, values);
  const [{ Plan: top }] = rows[0]!['QUERY PLAN'] as [{ Plan: PlanNode }];
  const nodes = flat(top);
  return {
    query: text,
    buffers: (top['Shared Hit Blocks'] ?? 0) + (top['Shared Read Blocks'] ?? 0),
    ms: top['Actual Total Time'] ?? 0,
    scanned: nodes
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name']!)
      .filter((name) => largeTables.includes(name)),
    text: JSON.stringify(top, null, 1),
  };
};

const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)];
