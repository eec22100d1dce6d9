/** The files for the operator name what the service has: its metrics with their labels, its settings and its paths. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { readConfiguration } from '../../service/configuration.ts';
import { exitGraceMs } from '../../service/core/timeouts.ts';
import { settings, type Setting } from '../../service/settings.ts';
import { observe } from '../../service/observe.ts';
import { createTestService } from './support.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');
const operations = read('docs/operations.md');
const dashboard = JSON.parse(read('service/operations/grafana-dashboard.json'));
const rules: any[] = parse(read('service/operations/prometheus-rules.yaml')).groups.flatMap(
  (group: any) => group.rules,
);
const variables = Object.values(settings).flatMap(({ variable }: Setting) => (variable ? [variable] : []));

/** The labels of each metric of the service. */
const metrics = new Map<string, Set<string>>();

/** Labels that Prometheus adds itself. */
const ofPrometheus = ['instance', 'job', 'le'];

const namesIn = (expression: string) => [...expression.matchAll(/\bworkspace_\w+/g)].map(([name]) => name);
const labelsIn = (expression: string) => [
  ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(',').map((name) => name.trim())),
  ...[...expression.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, name]) => name!),
];

const expressions: [string, string][] = [
  ...dashboard.panels.flatMap((panel: any) => panel.targets.map(({ expr }: any) => [panel.title, expr])),
  ...rules.map(({ alert, expr }) => [alert, expr]),
];

describe('the dashboard and the alerts', () => {
  before(async () => {
    const observed = await observe({ metricsPort: 0, metricsHost: '127.0.0.1', traceUrl: undefined });
    const service = await createTestService({ observer: observed.observer, allowLoopback: true });
    const url = await observed.serve(service.service, () => false);
    // A metric has the series of what has happened: a turn, and a delivery that fails.
    const body = { url: 'http://127.0.0.1:9/', events: ['message.created'] };
    await service.call('POST', '/webhooks', { key: service.secretKey, body });
    await service.chat('When are you open?', { key: service.secretKey });
    await service.service.work();
    const text = await (await fetch(url!)).text();
    await service.service.close();
    await observed.close();
    for (const [, name] of text.matchAll(/^# TYPE (\w+)/gm)) metrics.set(name!, new Set());
    for (const [, name, labels] of text.matchAll(/^(\w+)\{([^}]*)\}/gm)) {
      const metric = metrics.get(name!) ?? metrics.get(name!.replace(/_(bucket|count|sum)$/, ''));
      for (const [, label] of labels!.matchAll(/(\w+)="/g)) metric!.add(label!);
    }
  });

  it('name only metrics that the service has, and their labels', () => {
    assert.ok(expressions.length > 20);
    for (const [title, expression] of expressions) {
      const names = namesIn(expression).map((name) => name.replace(/_(bucket|count|sum)$/, ''));
      for (const name of names) assert.ok(metrics.has(name), `${title}: ${name}`);
      const allowed = new Set([...ofPrometheus, ...names.flatMap((name) => [...metrics.get(name)!])]);
      for (const label of labelsIn(expression)) assert.ok(allowed.has(label), `${title}: ${label}`);
    }
  });

  it('show every metric of operations and of waiting work', () => {
    const shown = new Set(
      dashboard.panels.flatMap((panel: any) => panel.targets.flatMap(({ expr }: any) => namesIn(expr))),
    );
    const own = [...metrics.keys()].filter((name) => !/^workspace_(process|nodejs)_/.test(name));
    const missing = own.filter((name) => ![name, `${name}_count`, `${name}_bucket`].some((each) => shown.has(each)));
    assert.deepEqual(missing, ['workspace_draining']);
  });

  it('are described in the documentation, as is every metric', () => {
    for (const { alert } of rules) assert.ok(operations.includes(`\`${alert}\``), alert);
    for (const name of metrics.keys()) {
      if (!/^workspace_(process|nodejs)_/.test(name)) assert.ok(operations.includes(`\`${name}\``), name);
    }
    for (const [name] of operations.matchAll(/`workspace_\w+`/g)) {
      if (!name.includes('_…')) assert.ok(metrics.has(name.replaceAll('`', '')), name);
    }
  });

  it('have a severity and a sentence for each alert, and no title twice', () => {
    for (const { alert, labels, annotations } of rules) {
      assert.ok(['page', 'ticket'].includes(labels.severity), alert);
      assert.match(annotations.summary, /^[A-Z].*\.$/, alert);
    }
    const titles = [...rules.map(({ alert }) => alert), ...dashboard.panels.map(({ title }: any) => title)];
    assert.equal(new Set(titles).size, titles.length);
  });
});

describe('the Kubernetes manifest', () => {
  const documents = parseAllDocuments(read('service/operations/kubernetes.yaml')).map((each) => each.toJS());
  const of = (kind: string) => documents.find((each) => each.kind === kind);
  const pod = of('Deployment').spec.template.spec;
  const [container] = pod.containers;

  it('has settings of the service, which are valid', () => {
    const { data } = of('ConfigMap');
    for (const name of Object.keys(data)) assert.ok(variables.includes(name), name);
    const configuration = readConfiguration([], data);
    assert.ok(configuration !== 'help');
    const ports = Object.fromEntries(container.ports.map(({ name, containerPort }: any) => [name, containerPort]));
    assert.deepEqual(ports, { http: configuration.port, metrics: configuration.metricsPort });
    const [pause] = container.lifecycle.preStop.exec.command.slice(-1);
    const needed = Number(pause) + configuration.drainSeconds + exitGraceMs / 1000;
    assert.ok(pod.terminationGracePeriodSeconds > needed, String(needed));
  });

  it('gets no variables from the Services of the namespace, one of which may set WORKSPACE_PORT', () => {
    assert.equal(pod.enableServiceLinks, false);
  });

  it('probes paths that the service has, with a timeout above that of the service', async () => {
    const service = await createTestService();
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { path, port } = container[probe].httpGet;
      assert.equal(port, 'http');
      assert.equal((await service.service.fetch(new Request(`http://service.test${path}`))).status, 200, path);
    }
    await service.service.close();
    assert.ok(container.readinessProbe.timeoutSeconds > 2);
  });

  it('runs without rights that it does not need, and does not publish the operations of the team', () => {
    assert.equal(pod.securityContext.runAsNonRoot, true);
    assert.deepEqual(container.securityContext.capabilities.drop, ['ALL']);
    assert.equal(container.securityContext.readOnlyRootFilesystem, true);
    const paths = of('Ingress').spec.rules.flatMap((rule: any) => rule.http.paths.map(({ path }: any) => path));
    assert.deepEqual(paths, ['/api/v2']);
    assert.doesNotMatch(container.image, /:latest$/);
  });
});
