import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { agents, members, workspaces } from '../../service/db/schema.ts';
import { createTestService, useTestService, type TestService } from './support.ts';

const newWorkspace = {
  name: 'Wadi Cycles',
  ownerName: 'Maha',
  ownerEmail: 'maha@wadi.example',
  agentName: 'Rafiq',
  timeZone: 'Asia/Muscat',
  language: 'arabic' as const,
};
const tested = useTestService({ workspace: 'empty', newWorkspace });
const team = (method: string, path: string, body?: object) => tested.callTeam(method, path, body);
const ownerOf = async ({ service }: TestService) => {
  const [owner] = await service.db.select().from(members).where(eq(members.role, 'owner'));
  return owner!;
};

describe('a new workspace', () => {
  it('has the names, the time zone and the language of the settings, and the time of its start', async () => {
    const [workspace] = await tested.rows(workspaces);
    const [agent] = await tested.rows(agents);
    const owner = await ownerOf(tested);
    assert.deepEqual(
      [workspace!.name, owner.name, owner.email, agent!.name, agent!.timeZone, agent!.language],
      ['Wadi Cycles', 'Maha', 'maha@wadi.example', 'Rafiq', 'Asia/Muscat', 'arabic'],
    );
    assert.equal(workspace!.createdAt.toISOString(), '2026-10-05T06:00:00.000Z');
    const { body } = await tested.chat('Hello', { key: tested.secretKey });
    assert.match(body.message!.content, /Rafiq/);
  });

  it('shares no identifier with another one', async () => {
    const other = await createTestService({ workspace: 'empty' });
    const idsOf = async (service: TestService) => {
      const [workspace] = await service.rows(workspaces);
      const [agent] = await service.rows(agents);
      return [workspace!.id, agent!.id, agent!.publicKey, (await ownerOf(service)).id];
    };
    const [own, others] = [await idsOf(tested), await idsOf(other)];
    assert.deepEqual(
      own.filter((id) => others.includes(id)),
      [],
    );
    assert.equal(tested.agentId, own[1]);
    await other.service.close();
  });

  it('is changed by the operations of the team', async () => {
    const changed = await team('PATCH', '/workspace', {
      name: 'Wadi',
      owner: { name: 'Maha A.', email: 'owner@wadi.example' },
    });
    assert.deepEqual([changed.status, changed.body.name], [200, 'Wadi']);
    const owner = await ownerOf(tested);
    assert.deepEqual([owner.name, owner.email], ['Maha A.', 'owner@wadi.example']);
    const path = `/agents/${tested.agentId}`;
    const { body: agent } = await team('PATCH', path, { name: 'رفيق', language: 'bilingual', time_zone: 'Asia/Dubai' });
    assert.deepEqual(agent, {
      id: tested.agentId,
      name: 'رفيق',
      language: 'bilingual',
      status: 'live',
      time_zone: 'Asia/Dubai',
      allowed_origins: [],
    });
    const { data } = (await team('GET', '/audit-log')).body;
    const actions = data.map(({ action }: any) => action);
    for (const action of ['workspace.renamed', 'workspace.owner_changed', 'agent.changed'])
      assert.ok(actions.includes(action), action);
    assert.ok(!JSON.stringify(data).includes('wadi.example'), 'no address');
  });
});
