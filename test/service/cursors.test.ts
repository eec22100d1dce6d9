import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useTestService } from './support.ts';

const tested = useTestService();

describe('a cursor that was changed', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const id = 'cnv_1';
  const cursors = [
    ...[
      '0000-01-01T00:00:00.000Z',
      '-000001-01-01T00:00:00.000Z',
      '-271821-04-20T00:00:00.000Z',
      '+275760-09-13T00:00:00.000Z',
    ]
      .concat([
        '0999-01-01T00:00:00.000Z',
        '2026-02-31T00:00:00.000Z',
        '2026-13-01T00:00:00.000Z',
        '2026-10-05',
        'infinity',
        'now',
        '',
      ])
      .map((time) => encode([time, id])),
    ...['', '\0', '\ud800', 'x'.repeat(101), "' or 1=1", 1, null, {}].map((other) =>
      encode(['2026-10-05T06:00:00.000Z', other]),
    ),
    ...[-1, 1.5, 9_007_199_254_740_992, '1', null].map((position) => encode([position])),
    ...[[], {}, null, 1, [[]], ['2026-10-05T06:00:00.000Z', id, id]].map(encode),
    `${encode(['2026-10-05T06:00:00.000Z', id])}=`,
    `${encode(['2026-10-05T06:00:00.000Z', id])}!`,
  ];
  const lists = [
    '/agents',
    '/agents/agt_palm_and_clay/sources',
    '/agents/agt_palm_and_clay/conversations',
    '/agents/agt_palm_and_clay/submissions',
    '/conversations/CONVERSATION/messages',
    '/contacts',
    '/leads',
    '/tickets',
    '/webhooks',
    '/agents/agt_palm_and_clay/actions/ACTION/calls',
  ];
  for (const list of lists) {
    it(`is rejected by ${list}`, async () => {
      const { body: chat } = await tested.chat('Hello');
      const { body: actions } = await tested.api('GET', '/agents/agt_palm_and_clay/actions');
      const path = list.replace('CONVERSATION', chat.conversation_id).replace('ACTION', actions.data[0].id);
      for (const cursor of cursors) {
        tested.nextMinute();
        const { status, error } = await tested.api('GET', `${path}?cursor=${encodeURIComponent(cursor)}`);
        assert.equal(status, 422, `${cursor}: ${status}`);
        assert.equal((error.details as { code: string }[])[0]!.code, 'invalid_cursor');
      }
    });
  }
});
