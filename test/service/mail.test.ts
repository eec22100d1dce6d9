import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { reserveQuota } from '../../service/chat/quota.ts';
import { countUsage, monthOf } from '../../service/chat/usage-counts.ts';
import { readConfiguration } from '../../service/configuration.ts';
import { plans } from '../../service/core/plans.ts';
import { conversations as started, jobs, notices, topUps } from '../../service/db/schema.ts';
import { textOfEmail, useMailServer } from './mail-server.ts';
import { createTestService, useTestService, type TestService } from './support.ts';
import { freePort } from '../support/servers/listen.ts';

const minute = 60_000;
const server = useMailServer();
const from = 'Workspace <no-reply@workspace.example>';
const teamUrl = 'https://team.example/team.html';
const tested = useTestService(() => ({ mail: { url: server.url, from, teamUrl } }));

let serial = 0;
const invite = async (service: TestService = tested, role = 'editor') => {
  const email = `member-${++serial}@team.example`;
  const response = await service.team('POST', '/members', { body: { name: 'Noor', email, role } });
  assert.equal(response.status, 201);
  return email;
};
const noticeTo = async (recipient: string, service: TestService = tested) => {
  const [notice] = await service.rows(notices, eq(notices.recipient, recipient));
  return notice!;
};
const listed = async (): Promise<any[]> => {
  const { data }: any = await (await tested.team('GET', '/notices')).json();
  return data;
};

beforeEach(() => {
  server.received.length = 0;
  server.rejectsWith = undefined;
  tested.log.length = 0;
});

describe('a notice to a member of the team', () => {
  it('is sent by e-mail in English and Arabic, with the link of the team page, once', async () => {
    const email = await invite();
    await tested.service.work();
    await tested.service.work();
    const [sent, ...others] = server.received;
    assert.deepEqual([sent!.to, sent!.from, others], [[email], 'no-reply@workspace.example', []]);
    const text = textOfEmail(sent!);
    for (const part of [
      'Palm & Clay has added you to its team. Your role: editor.',
      'تمت إضافة هذا العنوان',
      'محرر',
      teamUrl,
    ]) {
      assert.ok(text.includes(part), part);
    }
    assert.match(text, /<div dir="rtl" lang="ar">/);
    assert.match(text, /Palm &amp; Clay/);
    assert.match(text, /^Subject: You are in the team of Palm & Clay \| دعوة إلى فريق/m);
    const notice = await noticeTo(email);
    assert.match(sent!.raw, new RegExp(`Message-ID: <${notice.id}@workspace-service>`, 'i'));
    assert.deepEqual([notice.status, notice.attempts, notice.sentAt?.getTime()], ['sent', 1, tested.clock.now]);
  });

  it('is sent again after a failure, at the times of webhook deliveries, and fails after the sixth attempt', async () => {
    server.rejectsWith = 451;
    const email = await invite();
    await tested.service.work();
    for (const minutes of [1, 5, 30, 120, 720]) {
      const { attempts, status } = await noticeTo(email);
      tested.clock.now += minutes * minute - 1;
      await tested.service.work();
      assert.deepEqual([(await noticeTo(email)).attempts, status], [attempts, 'pending']);
      tested.clock.now += 1;
      await tested.service.work();
      assert.equal((await noticeTo(email)).attempts, attempts + 1);
    }
    const failed = await noticeTo(email);
    assert.deepEqual([failed.status, failed.attempts, failed.lastError], ['failed', 6, 'EMESSAGE']);
    const [shown] = await listed();
    assert.deepEqual([shown.id, shown.status, shown.last_error], [failed.id, 'failed', 'EMESSAGE']);
    const entries = JSON.stringify(tested.log.filter(({ event }) => event === 'mail_failure'));
    assert.ok(entries.includes(failed.id) && !entries.includes('@'), 'the log has no address');

    server.rejectsWith = undefined;
    assert.equal((await tested.team('POST', `/notices/${failed.id}/send`)).status, 202);
    assert.equal((await tested.team('POST', `/notices/${failed.id}/send`)).status, 409);
    await tested.service.work();
    assert.equal((await noticeTo(email)).status, 'sent');
    assert.equal((await tested.team('POST', '/notices/ntc_none/send')).status, 404);
  });

  it('can be sent again after its job was given up', async () => {
    const email = await invite();
    await tested.set(jobs, { attempts: 5 }, eq(jobs.kind, 'send_notice'));
    await tested.service.work();
    const { id, status, lastError } = await noticeTo(email);
    assert.deepEqual([status, lastError], ['failed', 'internal_error']);
    assert.equal((await tested.team('POST', `/notices/${id}/send`)).status, 202);
    await tested.service.work();
    assert.equal((await noticeTo(email)).status, 'sent');
  });

  it('is not sent again when the mail server rejects it for good', async () => {
    server.rejectsWith = 550;
    const email = await invite();
    await tested.service.work();
    const notice = await noticeTo(email);
    assert.deepEqual([notice.status, notice.attempts, notice.lastError], ['failed', 1, 'rejected_550']);
  });

  it('waits while the mail server is down, or does not accept the password', async () => {
    for (const [url, code] of [
      [`smtp://127.0.0.1:${await freePort()}`, 'ESOCKET'],
      [server.url.replace('secret', 'wrong'), 'EAUTH'],
    ] as const) {
      const other = await createTestService({ mail: { url, from, teamUrl: undefined } });
      const email = await invite(other);
      await other.service.work();
      const notice = await noticeTo(email, other);
      assert.deepEqual([notice.status, notice.attempts, notice.lastError], ['pending', 1, code]);
      await other.service.close();
    }
  });

  it('is stored without a mail server, and is not sent when one is configured later', async () => {
    const without = await createTestService();
    const email = await invite(without);
    await without.service.work();
    assert.equal((await noticeTo(email, without)).status, 'stored');
    await without.service.close();
  });

  it('tells the owner once when the quota is nearly used', async () => {
    const { conversations } = plans.business;
    const { db, now } = tested.service;
    const workspaceId = 'wsp_palm_and_clay';
    const { body } = await tested.chat('Hello');
    const isSame = eq(started.id, body.conversation_id);
    const [conversation] = await db.update(started).set({ countedAt: null }).where(isSame).returning();
    await countUsage(db, conversation!, new Date(now()), { conversations: conversations - 2 });
    assert.equal(await reserveQuota({ db, now }, conversation!), true);
    await tested.add(topUps, { id: 'last', workspaceId, month: monthOf(now()), conversations: 1 });
    assert.equal(await reserveQuota({ db, now }, conversation!), true);
    await tested.service.work();
    const texts = server.received.map(textOfEmail);
    assert.equal(texts.length, 2);
    assert.ok(texts.some((text) => text.includes('80%') && text.includes(`${conversations} of ${conversations}`)));
    assert.ok(texts.some((text) => text.includes('100%') && text.includes('لن تحصل المحادثات الجديدة على رد')));
  });
});

const read = (environment: Record<string, string>) => readConfiguration([], environment);

it('the settings of the mail server are both set or neither, and a message never repeats the password', () => {
  const url = 'smtps://service:secret@mail.example';
  const configuration = read({ SMTP_URL: url, MAIL_FROM: from });
  assert.deepEqual(configuration !== 'help' && configuration.mail, { url, from, teamUrl: undefined });
  assert.throws(() => read({ SMTP_URL: url }), /both SMTP_URL and MAIL_FROM/);
  assert.throws(() => read({ MAIL_FROM: 'nobody' }), /MAIL_FROM takes an address/);
  assert.throws(
    () => read({ SMTP_URL: 'https://service:secret@mail.example', MAIL_FROM: from }),
    (error: Error) => /SMTP_URL is not the URL/.test(error.message) && !error.message.includes('secret'),
  );
});
