import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DockerfileParser, type Copy, type From } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { readConfiguration } from '../../service/configuration.ts';
import { exitGraceMs } from '../../service/core/timeouts.ts';
import { settings, type Setting } from '../../service/settings.ts';
import { problemsOfImage } from '../support/image-files.ts';
import { listen } from '../support/servers/listen.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');
const variables = Object.values(settings).flatMap(({ variable }: Setting) => (variable ? [variable] : []));

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
    for (const name of Object.keys(own)) assert.ok(variables.includes(name), name);
    assert.notEqual(readConfiguration([], own), 'help');
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
      for (const name of Object.keys(environment)) assert.ok(variables.includes(name), name);
      const filled = Object.entries(environment).map(([name, value]) => [
        name,
        String(value)
          .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
          .replaceAll(/\$\{[^}]*\}/g, 'x'),
      ]);
      const configuration = readConfiguration([], Object.fromEntries(filled));
      assert.ok(configuration !== 'help');
      assert.match(grace, /^\d+s$/);
      assert.ok(Number.parseInt(grace, 10) > configuration.drainSeconds + exitGraceMs / 1000);
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
