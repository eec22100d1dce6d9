/** A workspace with many rows, and the lists that a key can read of it. */
import { sql } from 'drizzle-orm';
import type { Db } from '../../service/service.ts';

/** The rows of each table, except ten times as many messages. */
export const scale = Number(process.env['PLAN_ROWS'] ?? 100_000);
export const firstPlanAgent = 'agt_plan_0';
const agentCount = 4;

/** Which agents the key of the case reaches. The default is all. */
type Access = 'one' | 'two';

export interface ListCase {
  path: string;
  access?: Access;
  /** The kind of the list's cursor, or null for a list of one page. The default is a time and an id. */
  cursor?: 'position' | null;
  maxBuffers?: number;
}

const ofAgent = `/agents/${firstPlanAgent}`;
/** Each contact is looked up, with checks that it still has a conversation or a lead and that no other agent listed it. */
const contactsOfAgents = 280;

export const listCases: ListCase[] = [
  { path: '/agents' },
  { path: `${ofAgent}/sources`, cursor: null },
  { path: `${ofAgent}/conversations` },
  ...['ai_active', 'handoff_requested', 'human_active', 'closed'].map((state) => ({
    path: `${ofAgent}/conversations?state=${state}`,
    // A time within the last day: all older conversations are closed.
    ...(state === 'closed' ? {} : { cursor: null }),
  })),
  { path: `${ofAgent}/conversations?channel=website` },
  { path: `${ofAgent}/conversations?channel=slack` },
  { path: '/conversations/cnv_plan_4/messages', cursor: 'position' },
  { path: '/contacts' },
  { path: '/contacts?verified=true' },
  { path: '/contacts?verified=false' },
  { path: '/contacts?email=Person7@plan.example', cursor: null },
  { path: '/contacts?phone=%2B9000007', cursor: null },
  { path: '/contacts?external_id=ext-7', cursor: null },
  { path: '/contacts', access: 'one', maxBuffers: contactsOfAgents },
  { path: '/contacts', access: 'two', maxBuffers: contactsOfAgents },
  { path: '/leads' },
  { path: '/leads?status=closed' },
  { path: '/leads?status=qualified' },
  { path: `/leads?agent_id=agt_plan_3` },
  { path: '/leads', access: 'one' },
  { path: '/leads', access: 'two' },
  { path: '/tickets' },
  { path: '/tickets?status=on_you' },
  { path: '/tickets?status=on_hold' },
  { path: '/tickets?tag=person' },
  { path: '/tickets?tag=vip' },
  { path: '/tickets?assignee_user_id=mem_plan' },
  { path: `/tickets?agent_id=agt_plan_3` },
  { path: '/tickets', access: 'one' },
  { path: '/tickets', access: 'two' },
  { path: `${ofAgent}/actions/act_plan_0/calls` },
  { path: `${ofAgent}/actions/act_plan_0/calls?failures_only=true` },
  { path: `${ofAgent}/submissions` },
  { path: `${ofAgent}/submissions?action_id=act_plan_1` },
  { path: '/webhooks', cursor: null },
  { path: '/usage', cursor: null },
];

/** Returns a cursor in the middle of the rows. */
export const middleOfTimes = (now: number, kind: ListCase['cursor']): string => {
  const time = new Date(now - (scale / 2) * 1000 * secondsApart).toISOString();
  return Buffer.from(JSON.stringify(kind === 'position' ? [scale * 5] : [time, 'x'])).toString('base64url');
};

/** The time between two rows. 100,000 rows are then 29 days. */
const secondsApart = 25;

/** The rows are stored in a random order, so that no page of a list is on few pages of the database. */
export const loadWorkspace = async (db: Db, now: number): Promise<void> => {
  const at = sql.raw(`('${new Date(now).toISOString()}'::timestamptz - n * interval '${secondsApart} seconds')`);
  const agent = sql.raw(`'agt_plan_' || n % ${agentCount}`);
  const rows = sql.raw(`generate_series(1, ${scale}) as n order by md5(n::text)`);
  const workspace = sql.raw(`'wsp_palm_and_clay'`);
  const statements = [
    sql`insert into agents (id, workspace_id, name, status, language, public_key, time_zone, created_at, updated_at)
      select 'agt_plan_' || n, ${workspace}, 'Plan', 'live', 'english', 'pk_plan_' || n, 'UTC', now(), now()
      from generate_series(0, ${sql.raw(String(agentCount - 1))}) as n`,
    sql`insert into members (id, workspace_id, name, email, role, created_at)
      values ('mem_plan', ${workspace}, 'Plan', 'plan@plan.example', 'owner', now())`,
    sql`insert into actions (id, agent_id, name, kind, created_at, updated_at)
      select 'act_plan_' || n, ${firstPlanAgent}, 'plan_' || n, 'http', now(), now() from generate_series(0, 1) as n`,
    sql`insert into sources (id, agent_id, type, name, status, created_at, updated_at)
      values ('src_plan', ${firstPlanAgent}, 'text', 'Plan', 'indexed', now(), now())`,
    sql`insert into webhook_endpoints (id, workspace_id, url, events, sealed_secret, created_at)
      values ('whk_plan', ${workspace}, 'https://plan.example', '{}', '', now())`,
    sql`insert into contacts (id, workspace_id, external_id, email, phone, email_key, phone_key, verified, source,
        first_seen_at, last_seen_at, created_at, updated_at)
      select 'con_plan_' || n, ${workspace}, 'ext-' || n, 'person' || n || '@plan.example', (9000000 + n)::text,
        'person' || n || '@plan.example', (9000000 + n)::text, n % 1000 = 0, 'api', ${at}, ${at}, ${at}, ${at}
      from ${rows}`,
    // The jobs that close old conversations have missed a few.
    sql`insert into conversations (id, workspace_id, agent_id, channel, state, language, started_at, expires_at, contact_id)
      select 'cnv_plan_' || n, ${workspace}, ${agent}, case when n % 4000 = 4 then 'slack' else 'website' end,
        case when n > 3600 and n % 100 <> 0 then 'closed'
          else (array['ai_active', 'handoff_requested', 'human_active', 'closed'])[1 + (n / 4) % 4] end,
        'en', ${at}, ${at} + interval '1 day', case when n % 3 < 2 then 'con_plan_' || n end
      from ${rows}`,
    sql`insert into messages (id, conversation_id, role, actor_type, content, language, created_at)
      select 'msg_plan_' || m, 'cnv_plan_' || 1 + m % ${sql.raw(String(scale))}, 'user', 'visitor', repeat('A message. ', 10), 'en', now()
      from generate_series(1, ${sql.raw(String(scale * 10))}) as m`,
    sql`insert into leads (id, workspace_id, agent_id, contact_id, status, created_at)
      select 'lead_plan_' || n, ${workspace}, ${agent}, case when n % 3 = 2 then 'con_plan_' || n end,
        case when n % 2000 = 0 then 'qualified' else 'closed' end, ${at}
      from ${rows}`,
    sql`insert into tickets (id, workspace_id, agent_id, conversation_id, contact_id, status, assignee_id, subject, channel,
        language, source, tags, created_at, updated_at)
      select 'tkt_plan_' || n, ${workspace}, ${agent}, 'cnv_plan_' || n, null,
        case when n % 2000 = 0 then 'on_hold' else 'on_you' end, case when n % 2000 = 1 then 'mem_plan' end, 'Plan',
        'website', 'en', 'handoff', case when n % 3000 = 0 then array['vip'] when n % 3 = 1 then array['person'] else '{}' end,
        ${at}, ${at}
      from ${rows}`,
    sql`insert into action_calls (id, action_id, conversation_id, outcome, at)
      select 'call_plan_' || n, 'act_plan_0', 'cnv_plan_' || n, case when n % 2000 = 0 then 'failed' else 'worked' end, ${at}
      from ${rows}`,
    sql`insert into submissions (id, agent_id, action_id, conversation_id, form_message_id, data, created_at)
      select 'sub_plan_' || n, ${firstPlanAgent}, case when n % 2000 = 0 then 'act_plan_1' else 'act_plan_0' end,
        'cnv_plan_' || n, 'form_plan_' || n, '{}', ${at}
      from ${rows}`,
  ];
  await db.transaction(async (tx) => {
    // A million rows take longer than a statement of the service may.
    await tx.execute(sql`set local statement_timeout = 0`);
    for (const statement of statements) await tx.execute(statement);
  });
  await db.execute(sql`vacuum analyze`);
};
