/** The files for the operator name what the service has: its metrics with their labels, its settings and its paths. */
import assert from 'node:assert/strict';
import { readFileSync, existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parse, parseAllDocuments } from 'yaml';
import { DockerfileParser, type Copy, type From } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { readConfiguration } from '../../service/configuration.ts';
import * as timeouts from '../../service/core/timeouts.ts';
import { settings, type Setting } from '../../service/settings.ts';
import { observe } from '../../service/observe.ts';
import { problemsOfImage } from '../support/image-files.ts';
import { listen } from '../support/servers/listen.ts';
import { origin, useTestService } from './support.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');
const operations = read('docs/operations.md');
const dashboard = JSON.parse(read('service/operations/grafana-dashboard.json'));
const rules: any[] = parse(read('service/operations/prometheus-rules.yaml')).groups.flatMap(
  (group: any) => group.rules,
);
const observed = await observe({ metricsPort: 0, metricsHost: '127.0.0.1', traceUrl: undefined });
after(() => observed.close());
const tested = useTestService({ observer: observed.observer, allowLoopback: true });
const variables = Object.values(settings).flatMap(({ variable }: Setting) => (variable ? [variable] : []));

/** Asserts that the names are variables of the service, and their values valid. */
const readSettings = (environment: Record<string, string>) => {
  for (const name of Object.keys(environment)) assert.ok(variables.includes(name), name);
  const configuration = readConfiguration([], environment);
  assert.ok(configuration !== 'help');
  return configuration;
};

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
    const url = await observed.serve(tested.service, () => false);
    // A metric has the series of what has happened: a turn, and a delivery that fails.
    await tested.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['message.created'] });
    await tested.chat('When are you open?', { key: tested.secretKey });
    await tested.service.work();
    const text = await (await fetch(url!)).text();
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
    const configuration = readSettings(of('ConfigMap').data);
    const ports = Object.fromEntries(container.ports.map(({ name, containerPort }: any) => [name, containerPort]));
    assert.deepEqual(ports, { http: configuration.port, metrics: configuration.metricsPort });
    const [pause] = container.lifecycle.preStop.exec.command.slice(-1);
    const needed = Number(pause) + configuration.drainSeconds + timeouts.exitGraceMs / 1000;
    assert.ok(pod.terminationGracePeriodSeconds > needed, String(needed));
  });

  it('gets no variables from the Services of the namespace, one of which may set WORKSPACE_PORT', () => {
    assert.equal(pod.enableServiceLinks, false);
  });

  it('probes paths that the service has, with a timeout above that of the service', async () => {
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { path, port } = container[probe].httpGet;
      assert.equal(port, 'http');
      assert.equal((await tested.service.fetch(new Request(`${origin}${path}`))).status, 200, path);
    }
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

/** An image without a version, or with `latest`, changes without a commit. */
const hasVersion = (image: string) => /^[\w./-]+:\d[\w.-]*$/.test(image);

describe('the Dockerfile', () => {
  const text = read('service/Dockerfile');
  const file = DockerfileParser.parse(text);
  const instructions = file.getInstructions();
  const of = (keyword: string) => instructions.filter((each) => each.getKeyword() === keyword);

  it('has no problem that the linter knows', () => {
    assert.deepEqual(
      validate(text).map(({ message, range }) => [range.start.line + 1, message]),
      [],
    );
  });

  it('starts from images with a version, and copies files that exist', () => {
    for (const from of of('FROM') as From[]) assert.ok(hasVersion(from.getImage()!), from.getImage()!);
    for (const copy of of('COPY') as Copy[]) {
      if (copy.getFlags().some((flag) => flag.getName() === 'from')) continue;
      const paths = copy.getArguments().map((argument) => argument.getValue());
      for (const path of paths.slice(0, -1)) assert.ok(existsSync(`${root}/${path}`), path);
    }
  });

  it('copies every package that is installed, and installs every package that a file of the image imports', async () => {
    assert.deepEqual(await problemsOfImage(root), []);
  });

  it('runs as an unprivileged user, without a shell, with a health check and valid settings', () => {
    assert.equal(of('USER').at(-1)?.getArgumentsContent(), 'node');
    const command = JSON.parse(of('ENTRYPOINT')[0]!.getArgumentsContent()!) as string[];
    assert.ok(existsSync(`${root}/${command.at(-1)}`));
    assert.ok(read('docs/operations.md').includes(`\n${command.join(' ')} `), 'the operator starts the same command');
    const environment = Object.fromEntries(
      of('ENV').flatMap((each) =>
        each.getArguments().map((argument) => argument.getValue().split('=') as [string, string]),
      ),
    );
    const { NODE_ENV: _, ...own } = environment;
    readSettings(own);
  });

  it('has a health check that calls the port of WORKSPACE_PORT', async () => {
    const check = of('HEALTHCHECK')[0]!.getArgumentsContent()!;
    const [program, ...args] = JSON.parse(check.slice(check.indexOf('['))) as string[];
    assert.equal(program, 'node');
    const server = await listen(({ url }, response) => response.writeHead(url === '/healthz' ? 200 : 404).end());
    const env = { ...process.env, WORKSPACE_PORT: new URL(server.url).port };
    try {
      const child = spawn(process.execPath, args, { env });
      const [code] = await once(child, 'exit');
      assert.equal(code, 0);
    } finally {
      await server.close();
    }
    assert.match(check, /WORKSPACE_PORT \|\| 8787/);
    assert.equal(settings.port.default, '8787');
  });
});

describe('the compose file', () => {
  const compose = parse(read('service/compose.yaml'), { merge: true });
  const services: [string, any][] = Object.entries(compose.services);
  const processes = services.filter(([, { build }]) => build !== undefined);

  it('names images with a version, volumes and services that are defined, and files that exist', () => {
    const names = services.map(([name]) => name);
    for (const [name, service] of services) {
      if (!service.build) assert.ok(hasVersion(service.image), service.image);
      else assert.ok(existsSync(`${root}/${service.build.dockerfile}`));
      assert.equal(service.restart, 'unless-stopped', name);
      const required = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {});
      for (const each of required) assert.ok(names.includes(each), each);
      for (const volume of service.volumes ?? []) {
        const source = String(volume).split(':')[0]!;
        if (source.startsWith('.')) assert.ok(existsSync(`${root}/service/${source}`), source);
        else assert.ok(source in compose.volumes, source);
      }
    }
  });

  it('runs two processes with settings of the service, and time to drain', () => {
    assert.equal(processes.length, 2);
    for (const [, { environment, stop_grace_period: grace }] of processes) {
      const filled = Object.entries(environment).map(([name, value]) => [
        name,
        String(value)
          .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
          .replaceAll(/\$\{[^}]*\}/g, 'x'),
      ]);
      const configuration = readSettings(Object.fromEntries(filled));
      assert.match(grace, /^\d+s$/);
      assert.ok(Number.parseInt(grace, 10) > configuration.drainSeconds + timeouts.exitGraceMs / 1000);
    }
  });

  it('passes every setting of the operator to the processes, except those that its own parts depend on', () => {
    const fixed = ['DATABASE_URL', 'WORKSPACE_PORT', 'WORKSPACE_HOST', 'WORKSPACE_DATA', 'WORKSPACE_DRAIN_SECONDS'];
    fixed.push('WORKSPACE_METRICS_PORT', 'WORKSPACE_METRICS_HOST');
    const given: Record<string, string> = Object.fromEntries(variables.map((name) => [name, `the ${name}`]));
    for (const [, { env_file: files, environment }] of processes) {
      // Variables of `environment` win over those of the files, and are filled in from the same .env.
      const received = { ...(files?.includes('.env') ? given : {}) } as Record<string, string>;
      for (const [name, value] of Object.entries(environment as Record<string, string>)) {
        received[name] = value.replaceAll(
          /\$\{(\w+)(?::[-?][^}]*)?\}/g,
          (_, variable: string) => given[variable] ?? '',
        );
      }
      for (const name of variables) {
        if (fixed.includes(name)) assert.notEqual(received[name], given[name], name);
        else assert.equal(received[name], given[name], name);
      }
    }
  });

  it('publishes the proxy, which serves every process and hides the operations of the team, and these to its own machine', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port: string) => `${name} ${port}`));
    assert.deepEqual(published, ['service-1 127.0.0.1:8787:8787', 'proxy 8080:8080']);
    const proxy = read('service/Caddyfile');
    for (const [name] of processes) assert.match(proxy, new RegExp(`\\b${name}:8787\\b`));
    assert.match(proxy, /@internal path \/team\/\*/);
    assert.match(proxy, /health_uri \/readyz/);
  });

  it('contains no password', () => {
    assert.match(read('service/compose.yaml'), /POSTGRES_PASSWORD: \$\{POSTGRES_PASSWORD:\?/);
    assert.doesNotMatch(read('service/compose.yaml'), /PASSWORD: [^$]/);
  });
});

/** Returns milliseconds. */
const duration = (text: string | undefined): number => {
  const [, number, unit] = /^(\d+)(s|m)$/.exec(text ?? '') ?? assert.fail(`“${text}” is no duration`);
  return Number(number) * { s: 1000, m: 60_000 }[unit as 's' | 'm'];
};

const proxy = (option: string): number =>
  duration(new RegExp(`^\\s*${option} (\\S+)$`, 'm').exec(read('service/Caddyfile'))?.[1]);
const image = (option: string): number =>
  duration(new RegExp(`--${option}=(\\S+)`).exec(read('service/Dockerfile'))?.[1]);
/** Each pair in its order: the first part has to give up before the second. */
const order: [shorter: string, number, longer: string, number][] = [
  ['the proxy keeps an idle connection', proxy('keepalive'), 'the service does', timeouts.keepAliveMs],
  ['the service keeps an idle connection', timeouts.keepAliveMs, 'headers may take', timeouts.headersTimeoutMs],
  ['headers may take', timeouts.headersTimeoutMs, 'a whole request may take', timeouts.requestTimeoutMs],
  ['a probe waits for the database', timeouts.probeTimeoutMs, 'the proxy waits for the probe', proxy('health_timeout')],
  ['a probe waits for the database', timeouts.probeTimeoutMs, 'the container waits for it', image('timeout')],
  ['a call waits for a connection', timeouts.poolTimeoutMs, 'its statement may run', timeouts.statementTimeoutMs],
  ['a statement may run', timeouts.statementTimeoutMs, 'a whole request may take', timeouts.requestTimeoutMs],
];

describe('the timeouts', () => {
  for (const [shorter, first, longer, second] of order) {
    it(`end in an order: ${shorter} for a shorter time than ${longer}`, () =>
      assert.ok(first < second, `${first} < ${second}`));
  }

  it('are those of the server: its responses announce an idle time that is longer than that of the proxy', async () => {
    const { url } = await tested.service.listen();
    const { headers } = await fetch(`${url}/healthz`);
    const announced = Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1]) * 1000;
    assert.ok(announced > proxy('keepalive'), `${announced}`);
  });

  it('stand in the documentation for operators', () => {
    const rows = read('docs/operations.md').match(/^\| .* \d+ s .*$/gm) ?? [];
    const documented = rows.map((row) => Number(/\| *(\d+) s \|/.exec(row)?.[1]) * 1000);
    for (const [name, milliseconds] of Object.entries(timeouts)) {
      assert.ok(documented.includes(milliseconds), `${name}: ${milliseconds}`);
    }
    assert.ok(documented.includes(proxy('keepalive')));
  });
});
