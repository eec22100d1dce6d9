import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { events, messages } from '../../service/db/schema.ts';
import { createTestService, type TestService } from './support.ts';

let tested: TestService;
let key: string;
before(async () => {
  tested = await createTestService();
  key = tested.service.demo.secretKey;
});
after(() => tested.service.close());
beforeEach(() => tested.nextMinute());

const page = 'https://palmandclay.example/shop/plates?utm_source=letter&utm_campaign=eid&email=huda%40example.com#top';

const startedFrom = async (referer?: string) => {
  const { body } = await tested.chat('I want a custom order', {
    key,
    ...(referer === undefined ? {} : { headers: { referer } }),
  });
  const { conversation_id } = body;
  return { conversation_id, shown: (await tested.call('GET', `/conversations/${conversation_id}`, { key })).body };
};

describe('where a conversation was started', () => {
  it('is the page without its query, and what the campaign put into it', async () => {
    const { shown } = await startedFrom(page);
    assert.equal(shown.page_url, 'https://palmandclay.example/shop/plates');
    assert.deepEqual(shown.utm, { utm_source: 'letter', utm_campaign: 'eid' });
    assert.equal(shown.referrer, '');
  });

  it('is the site alone where the page tells no more', async () => {
    const { shown } = await startedFrom('https://palmandclay.example/');
    assert.equal(shown.page_url, 'https://palmandclay.example/');
    assert.deepEqual(shown.utm, {});
  });

  for (const referer of [undefined, 'not a url', 'app://shop/plates?utm_source=x']) {
    it(`is nowhere for ${referer ?? 'a call without a Referer'}`, async () => {
      const { shown } = await startedFrom(referer);
      assert.deepEqual([shown.page_url, shown.utm, shown.referrer], [null, {}, '']);
    });
  }

  it('stays what it was when the visitor goes on from another page', async () => {
    const { conversation_id } = await startedFrom(page);
    await tested.chat('Hello', { key, conversation_id, headers: { referer: 'https://palmandclay.example/other' } });
    const { body } = await tested.call('GET', `/conversations/${conversation_id}`, { key });
    assert.equal(body.page_url, 'https://palmandclay.example/shop/plates');
  });

  it('goes along to the lead that it becomes', async () => {
    const { conversation_id } = await startedFrom(page);
    await tested.chat('Name: Huda\nPhone: 92223333\nWhat to make: Tiles\nHow many: 4', { key, conversation_id });
    const { body } = await tested.call('GET', '/leads', { key });
    const lead = body.data.find((each: any) => each.conversation_id === conversation_id);
    assert.deepEqual(lead.utm, { utm_source: 'letter', utm_campaign: 'eid' });
    assert.equal(lead.referrer, '');
    const told = await tested.service.db.select().from(events).where(eq(events.type, 'lead.created'));
    assert.deepEqual(told.at(-1)!.data['utm'], lead.utm);
  });
});

it('what a visitor thought of an answer stands beside it', async () => {
  const { body } = await tested.chat('What are your opening hours?', { key });
  const path = `/conversations/${body.conversation_id}/messages`;
  const before = (await tested.call('GET', path, { key })).body.data;
  assert.deepEqual(
    before.map(({ feedback }: any) => feedback),
    [null, null],
  );
  const feedback = { rating: -1, comment: 'On Fridays?' } as const;
  await tested.service.db.update(messages).set({ feedback }).where(eq(messages.id, body.message!.id));
  const [, answer] = (await tested.call('GET', path, { key })).body.data;
  assert.deepEqual(answer.feedback, feedback);
});
