import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;

const page = 'https://palmandclay.example/shop/plates?utm_source=letter&utm_campaign=eid&email=huda%40example.com#top';

const startedFrom = async (referer?: string) => {
  const { body } = await tested.chat('I want a custom order', {
    key,
    ...(referer === undefined ? {} : { headers: { referer } }),
  });
  const { conversation_id } = body;
  return { conversation_id, shown: (await tested.api('GET', `/conversations/${conversation_id}`)).body };
};

describe('the service, for the origin of a conversation', () => {
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
    const { body } = await tested.api('GET', `/conversations/${conversation_id}`);
    assert.equal(body.page_url, 'https://palmandclay.example/shop/plates');
  });
});
