import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { events, messages } from '../../service/db/schema.ts';
import { useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;
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

describe('the service, for the origin of a conversation', () => {
  it('stores the page’s URL without its query, and the campaign (UTM) parameters', async () => {
    const { shown } = await startedFrom(page);
    assert.equal(shown.page_url, 'https://palmandclay.example/shop/plates');
    assert.deepEqual(shown.utm, { utm_source: 'letter', utm_campaign: 'eid' });
    assert.equal(shown.referrer, '');
  });

  it('stores only the origin when the referrer has no path', async () => {
    const { shown } = await startedFrom('https://palmandclay.example/');
    assert.equal(shown.page_url, 'https://palmandclay.example/');
    assert.deepEqual(shown.utm, {});
  });

  for (const referer of [undefined, 'not a url', 'app://shop/plates?utm_source=x']) {
    it(`stores no origin for ${referer ?? 'a call without a Referer'}`, async () => {
      const { shown } = await startedFrom(referer);
      assert.deepEqual([shown.page_url, shown.utm, shown.referrer], [null, {}, '']);
    });
  }

  it('keeps the first origin when the visitor continues on another page', async () => {
    const { conversation_id } = await startedFrom(page);
    await tested.chat('Hello', { key, conversation_id, headers: { referer: 'https://palmandclay.example/other' } });
    const { body } = await tested.call('GET', `/conversations/${conversation_id}`, { key });
    assert.equal(body.page_url, 'https://palmandclay.example/shop/plates');
  });

  it('copies the origin to the lead', async () => {
    const { conversation_id } = await startedFrom(page);
    await tested.chat('Name: Huda\nPhone: 92223333\nWhat to make: Tiles\nHow many: 4', { key, conversation_id });
    const { body } = await tested.call('GET', '/leads', { key });
    const lead = body.data.find((each: any) => each.conversation_id === conversation_id);
    assert.deepEqual(lead.utm, { utm_source: 'letter', utm_campaign: 'eid' });
    assert.equal(lead.referrer, '');
    const emitted = await tested.service.db.select().from(events).where(eq(events.type, 'lead.created'));
    assert.deepEqual(emitted.at(-1)!.data['utm'], lead.utm);
  });
});

it('shows the visitor’s feedback with the message', async () => {
  const { body } = await tested.chat('What are your opening hours?', { key });
  const path = `/conversations/${body.conversation_id}/messages`;
  const before = (await tested.call('GET', path, { key })).body.data;
  assert.deepEqual(
    before.map(({ feedback }: any) => feedback),
    [null, null],
  );
  const feedback = { rating: -1, comment: 'On Fridays?' } as const;
  await tested.service.db.update(messages).set({ feedback }).where(eq(messages.id, body.message!.id));
  const [, reply] = (await tested.call('GET', path, { key })).body.data;
  assert.deepEqual(reply.feedback, feedback);
});
