/** Writes the demo's workspace into an empty database: agents, knowledge, products and actions; no keys. */
import { readFile } from 'node:fs/promises';
import { count } from 'drizzle-orm';
import type { FieldKind } from '../../../src/api/wire.ts';
import type { Db } from '../db/open.ts';
import { actions, agents, leadFields, members, products, sources, workspaces } from '../db/schema.ts';
import { indexAction, indexSource } from '../knowledge/indexing.ts';
import * as business from './business.ts';
import { arabicQuestions } from './questions.ar.ts';
import { englishQuestions } from './questions.en.ts';

/** Fixed, so that a database restored from the snapshot is the one that seeding makes. */
const since = new Date('2026-09-01T08:00:00.000Z');
const written = { createdAt: since, updatedAt: since };

export async function isSeeded(db: Db): Promise<boolean> {
  const [found] = await db.select({ workspaces: count() }).from(workspaces);
  return (found?.workspaces ?? 0) > 0;
}

export async function seedBusiness(db: Db): Promise<void> {
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
  const made = await db
    .insert(actions)
    .values(business.actions.map((action) => ({ ...action, ...written, agentId: business.agentId, enabled: true })))
    .returning();
  for (const action of made) await indexAction(db, action);
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
}

function agent(id: string, name: string, status: 'live' | 'paused', publicKey: string) {
  return {
    ...written,
    id,
    name,
    status,
    publicKey,
    workspaceId: business.workspace.id,
    language: 'bilingual' as const,
    allowedOrigins: [business.site],
    timeZone: business.timeZone,
  };
}

async function seedKnowledge(db: Db): Promise<void> {
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
}

function source(id: string, name: string, page: string) {
  return {
    ...written,
    id,
    name,
    agentId: business.agentId,
    status: 'uploaded' as const,
    sourceUrl: `${business.site}${page}`,
  };
}
