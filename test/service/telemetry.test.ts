import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { observe } from '../../service/observe.ts';
import { createTestService, eventually, useServer, type TestService } from './support.ts';

const planted = 'Planted-Text planted@example.com';
const off = { metricsPort: undefined, metricsHost: '127.0.0.1', traceUrl: undefined };

/** Makes a turn, a rejected call, a job and calls with texts of a visitor. */
const makeCalls = async (tested: TestService): Promise<void> => {
  const key = tested.secretKey;
  await tested.chat('What are your opening hours?', { key });
  await tested.streamed(planted, { key });
  await tested.call('GET', `/contacts/${encodeURIComponent(planted)}`, { key });
  await tested.call('GET', `/none/${encodeURIComponent(planted)}`);
  await tested.addText(planted);
};

describe('the metrics', () => {
  it('count requests, turns and jobs, and the work that waits in the database', async () => {
    const observed = await observe({ ...off, metricsPort: 0 });
    const tested = await createTestService({ observer: observed.observer });
    let isDraining = false;
    const url = await observed.serve(tested.service, () => isDraining);
    await makeCalls(tested);
    const response = await fetch(url!);
    const text = await response.text();
    assert.match(response.headers.get('content-type')!, /^text\/plain/);
    const route = '/api/v2/agents/:agent_id/chat';
    assert.match(
      text,
      new RegExp(`^workspace_request_seconds_count\\{method="POST",route="${route}",status="200"\\} 2$`, 'm'),
    );
    assert.match(text, /^workspace_request_seconds_count\{method="GET",route="[^"]*",status="404"\} 1$/m);
    assert.match(text, /^workspace_request_seconds_count\{method="GET",route="[^"]*",status="401"\} 1$/m);
    assert.match(text, /^workspace_turn_seconds_count\{outcome="answered",degraded="false"\} 1$/m);
    assert.match(text, /^workspace_turn_first_text_seconds_count 2$/m);
    assert.match(text, /^workspace_job_seconds_count\{kind="index_source",result="done"\} \d+$/m);
    assert.match(text, /^workspace_running\{operation="turn"\} 0$/m);
    for (const name of ['jobs_due', 'deliveries_waiting', 'dead_letters', 'draining']) {
      assert.match(text, new RegExp(`^workspace_${name} 0$`, 'm'));
    }
    assert.match(text, /^workspace_process_cpu_seconds_total /m);
    assert.doesNotMatch(text, /planted|svc_|agt_|cnv_/i);

    isDraining = true;
    assert.match(await (await fetch(url!)).text(), /^workspace_draining 1$/m);
    assert.equal((await fetch(new URL('/other', url))).status, 404);
    assert.equal((await fetch(url!, { method: 'POST' })).status, 404);
    await tested.service.close();
    const closed = await (await fetch(url!)).text();
    assert.match(closed, /^workspace_dead_letters Nan$/im, 'a scrape works without a database');
    await observed.close();
  });

  it('are not served without a port', async () => {
    const observed = await observe(off);
    const context = { db: undefined as never, now: Date.now };
    assert.equal(await observed.serve(context, () => false), undefined);
    await observed.close();
  });
});

describe('the traces', () => {
  const collector = useServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  after(() => {
    delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  });

  it('have a span for each operation, in the trace of the caller, without texts of visitors', async () => {
    const traceUrl = collector.url;
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = traceUrl;
    const observed = await observe({ ...off, traceUrl });
    const tested = await createTestService({ observer: observed.observer });
    await makeCalls(tested);
    const traceId = 'a'.repeat(32);
    await tested.chat('Hello', {
      key: tested.secretKey,
      headers: { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` },
    });
    const results = ['done', 'failed', 'interrupted'] as const;
    for (const result of results) observed.observer.start('job').end({ kind: result, result });
    await tested.service.close();
    await observed.close();

    await eventually(async () => collector.requests.length > 0);
    assert.ok(collector.requests.every(({ url }) => url === '/v1/traces'));
    const bodies = collector.requests.map(({ body }) => JSON.parse(body));
    const spans = bodies.flatMap((body) =>
      body.resourceSpans.flatMap((resource: any) => resource.scopeSpans.flatMap((scope: any) => scope.spans)),
    );
    const names = new Set(spans.map(({ name }: any) => name));
    for (const name of ['POST /api/v2/agents/:agent_id/chat', 'turn', 'job index_source']) {
      assert.ok(names.has(name), `${name} in ${[...names].join(', ')}`);
    }
    const errors = results.filter((result) =>
      spans.some(({ name, status }: any) => name === `job ${result}` && status.code === 2),
    );
    assert.deepEqual(errors, ['failed']);
    const own = spans.filter((span: any) => span.traceId === traceId);
    const request = own.find(({ name }: any) => name.startsWith('POST'));
    assert.equal(request.parentSpanId, 'b'.repeat(16));
    assert.equal(own.find(({ name }: any) => name === 'turn').parentSpanId, request.spanId);
    const resource = JSON.stringify(bodies[0].resourceSpans[0].resource);
    assert.match(resource, /workspace-service/);
    assert.doesNotMatch(JSON.stringify(spans), /planted|svc_|cnv_|agt_/i);
  });
});
