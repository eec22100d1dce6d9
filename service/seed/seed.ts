/** Creates a workspace in an empty database: the demo workspace or an empty one, without API keys. */
import { readFile } from 'node:fs/promises';
import type { FieldKind } from '../../contract/wire.ts';
import { newId, newPublicKey } from '../core/ids.ts';
import type { Db } from '../db/database.ts';
import type { Agent } from '../db/records.ts';
import { actions, agents, leadFields, members, products, sources, workspaces } from '../db/schema.ts';
import { indexAction, indexSource } from '../knowledge/indexing.ts';
import * as business from './business.ts';
import { arabicQuestions } from './questions.ar.ts';
import { englishQuestions } from './questions.en.ts';

/** A fixed date, so that seeding always gives the same database as the snapshot. */
const since = new Date('2026-09-01T08:00:00.000Z');
const timestamps = { createdAt: since, updatedAt: since };

export const workspaceKinds = ['demo', 'empty'] as const;
export type WorkspaceKind = (typeof workspaceKinds)[number];

export const isSeeded = async (db: Db): Promise<boolean> => (await db.$count(workspaces)) > 0;

/** The names of an empty workspace, and of its owner and agent. */
export interface NewWorkspace {
  name: string;
  ownerName: string;
  ownerEmail: string;
  agentName: string;
  timeZone: string;
  language: Agent['language'];
}

export const namelessWorkspace: NewWorkspace = {
  name: 'My workspace',
  ownerName: 'Owner',
  ownerEmail: 'owner@workspace.example',
  agentName: 'My assistant',
  timeZone: 'UTC',
  language: 'bilingual',
};

export const seedWorkspace = (db: Db, kind: WorkspaceKind, given: NewWorkspace, at: Date): Promise<void> => {
  return kind === 'demo' ? seedBusiness(db) : seedEmpty(db, given, at);
};

/** A workspace with its owner and an agent without knowledge. Its identifiers are random, so that two workspaces never share one. */
const seedEmpty = async (db: Db, given: NewWorkspace, createdAt: Date): Promise<void> => {
  const { plan } = business.workspace;
  const id = newId('wsp');
  const { name, agentName, timeZone, language, ownerName, ownerEmail } = given;
  await db.insert(workspaces).values({ id, name, plan, createdAt });
  await db.insert(agents).values({
    id: newId('agt'),
    workspaceId: id,
    name: agentName,
    status: 'live',
    language,
    publicKey: newPublicKey(),
    timeZone,
    createdAt,
    updatedAt: createdAt,
  });
  const owner = { id: newId('mem'), name: ownerName, email: ownerEmail, role: 'owner' as const };
  await db.insert(members).values({ ...owner, workspaceId: id, createdAt });
};

const seedBusiness = async (db: Db): Promise<void> => {
  const { id, name, plan } = business.workspace;
  await db.insert(workspaces).values({ id, name, plan, createdAt: since });
  await db
    .insert(agents)
    .values([
      agent(business.agentId, 'Palm & Clay', 'live', 'pk_palm_and_clay_demo'),
      agent(business.pausedAgentId, 'Palm & Clay winter market', 'paused', 'pk_palm_and_clay_winter'),
    ]);
  await db.insert(members).values(business.members.map((member) => ({ ...member, workspaceId: id, createdAt: since })));
  await seedKnowledge(db);
  await db.insert(products).values(
    business.products.map((product, position) => ({
      ...product,
      agentId: business.agentId,
      currency: 'OMR',
      url: `${business.site}/shop/${product.id.slice('prd_'.length).replaceAll('_', '-')}`,
      position,
    })),
  );
  const inserted = await db
    .insert(actions)
    .values(business.actions.map((action) => ({ ...action, ...timestamps, agentId: business.agentId, enabled: true })))
    .returning();
  for (const action of inserted) await indexAction(db, action);
  await db.insert(leadFields).values(
    business.leadFields.map(({ key, label_en, label_ar, kind, options, required }, position) => ({
      id: `fld_${key}`,
      agentId: business.agentId,
      key,
      labelEn: label_en,
      labelAr: label_ar,
      kind: kind as FieldKind,
      options,
      required,
      position,
      createdAt: since,
    })),
  );
};

const agent = (id: string, name: string, status: 'live' | 'paused', publicKey: string) => {
  return {
    ...timestamps,
    id,
    name,
    status,
    publicKey,
    workspaceId: business.workspace.id,
    language: 'bilingual' as const,
    allowedOrigins: [business.site],
    timeZone: business.timeZone,
  };
};

const seedKnowledge = async (db: Db): Promise<void> => {
  const texts = business.textSources.map(async ({ id, file, name, page }) => ({
    ...source(id, name, page),
    type: 'text' as const,
    content: (await readFile(new URL(`./knowledge/${file}`, import.meta.url), 'utf8')).trim(),
  }));
  const { en, ar } = business.questionSources;
  const batches = [
    { ...source(en.id, en.name, en.page), type: 'qa_bulk' as const, items: englishQuestions },
    { ...source(ar.id, ar.name, ar.page), type: 'qa_bulk' as const, items: arabicQuestions },
  ];
  for (const row of [...(await Promise.all(texts)), ...batches]) {
    const [stored] = await db.insert(sources).values(row).returning();
    await indexSource(db, stored!);
  }
};

const source = (id: string, name: string, page: string) => {
  return {
    ...timestamps,
    id,
    name,
    agentId: business.agentId,
    status: 'uploaded' as const,
    sourceUrl: `${business.site}${page}`,
  };
};
