import assert from 'node:assert/strict';
import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, describe, it } from 'node:test';
import { pausedAgentId } from '../../service/seed/business.ts';
import { checkConformance, reportOf, titleOf, type Result } from '../conformance/check.ts';
import type { Implementation } from '../conformance/context.ts';
import { statements } from './statements/all.ts';
import { startBefore, TestService } from './support.ts';
import { listen } from '../support/servers/listen.ts';

/** Added to the time of the service, instead of waiting for the next minute. */
let skipped = 0;
const clock = {
  now: () => Date.now() + skipped,
  async wait(milliseconds: number) {
    skipped += milliseconds;
  },
};
const tested = new TestService();
let implementation: Implementation;
let close: () => Promise<void>;

startBefore(async () => {
  await tested.start({ workspace: 'demo', now: clock.now, background: true, allowLoopback: true });
  const listening = await tested.service.listen();
  close = listening.close;
  const { agentId, secretKey: key } = tested;
  implementation = { baseUrl: `${listening.url}/api/v2`, key, agentId, clock };
});
after(async () => {
  await close();
  await tested.service.close();
});

const differences = (results: Result[]): string[] =>
  results.flatMap((result) =>
    result.outcome === 'different' ? [`${titleOf(result.statement)}: ${result.error}`] : [],
  );
const titles = (results: Result[], outcome: Result['outcome']): string[] =>
  results.filter((result) => result.outcome === outcome).map(({ statement }) => titleOf(statement));

/** What an operator can give the checks. */
const receiverPort = 18_799;
const everything = async (): Promise<Implementation> => {
  const secret = await tested.team('POST', `/agents/${tested.agentId}/identity-secret`);
  return {
    ...implementation,
    pausedAgentId,
    publishableKey: await tested.makeKey({ kind: 'publishable' }),
    identitySecret: ((await secret.json()) as { secret: string }).secret,
    receiverUrl: `http://127.0.0.1:${receiverPort}`,
  };
};

/** An implementation that differs in three ways: this service behind a proxy. */
const startWrong = () =>
  listen((request, response) => {
    const { method = '', url = '', headers } = request;
    const target = forward(new URL(url, implementation.baseUrl), { method, headers }, (received) =>
      breakRules(request, received, response),
    );
    target.on('error', () => response.destroy());
    response.on('close', () => target.destroy());
    request.pipe(target);
  });

const breakRules = ({ method, url }: IncomingMessage, received: IncomingMessage, response: ServerResponse): void => {
  const { 'idempotent-replayed': _, ...headers } = received.headers;
  if (url === '/api/v2/contacts') delete headers.location;
  const isDeletedContact = method === 'DELETE' && url?.startsWith('/api/v2/contacts/');
  const status = isDeletedContact && received.statusCode === 204 ? 202 : received.statusCode!;
  response.writeHead(status, headers);
  response.flushHeaders();
  received.pipe(response);
};

const broken = [
  '§ Chat: A plain chat call honors its Idempotency-Key.',
  '§ Common rules: A repeated response has the header Idempotent-Replayed, and the first one has not.',
  '§ Contacts: The response to a new contact has a Location header with its URL.',
];

describe('the conformance checks', () => {
  it('find nothing different in this service, with everything that an operator can give them', async () => {
    const results = await checkConformance(await everything(), statements, { port: receiverPort });
    assert.deepEqual(differences(results), []);
    const met = titles(results, 'met').length;
    assert.ok(met >= 570, reportOf(results));
    assert.match(reportOf(results), new RegExp(`^${met} statements met, 0 different, \\d+ not checked$`, 'm'));
    console.log(reportOf(results));
  });

  it('find nothing different in a second run, with nothing but a key and an agent', async () => {
    const results = await checkConformance(implementation, statements);
    assert.deepEqual(differences(results), []);
    assert.match(reportOf(results), /^- \d+ need a receiver that the service can reach \(--receiver-url\)$/m);
    console.log(reportOf(results));
  });

  it('name exactly the statements that a wrong implementation does not meet', async () => {
    const wrong = await startWrong();
    try {
      const results = await checkConformance({ ...(await everything()), baseUrl: `${wrong.url}/api/v2` }, statements, {
        port: receiverPort,
      });
      assert.deepEqual(titles(results, 'different').toSorted(), broken);
    } finally {
      await wrong.close();
    }
  });
});
