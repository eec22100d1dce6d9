import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseEnv } from 'node:util';
import { readConfiguration, usage, type Configuration } from '../../service/configuration.ts';
import { settings, type Setting } from '../../service/settings.ts';
import { valuesOf } from '../support/values-of.ts';
import { useFolders } from './support.ts';

const read = (args: string[], environment: Record<string, string> = {}): Configuration => {
  const configuration = readConfiguration(args, environment);
  assert.notEqual(configuration, 'help');
  return configuration as Configuration;
};

const folder = useFolders()();

/** Returns the path of a file with variables. */
const envFile = (text: string): string => {
  const file = join(folder, 'test.env');
  writeFileSync(file, text);
  return file;
};

const all: Setting[] = Object.values(settings);
describe('the configuration', () => {
  it('is safe by default: for this machine only, with every switch off, and without other systems', () => {
    const defaults = read([]);
    const { host, metricsHost, trustProxy, command, mail, signIn, model, embeddings } = defaults;
    assert.deepEqual([host, metricsHost, trustProxy, command], ['127.0.0.1', '127.0.0.1', [], 'start']);
    assert.deepEqual([mail, signIn, model, embeddings], Array.from({ length: 4 }));
    for (const [name, setting] of Object.entries<Setting>(settings)) {
      if (setting.default === undefined) assert.ok(!defaults[name as keyof Configuration], name);
    }
  });

  it('reads every option', () => {
    const given = ['--port', '0', '--host', '::1', '--data', 'x', '--seed', 'empty', '--metrics-port', '9464'];
    const more = ['--metrics-host', '0.0.0.0', '--log-format', 'json', '--log-level', 'warn', '--drain-seconds', '5'];
    const switches = ['--fresh', '--allow-loopback', '--development', '--hide-keys', '--replace-secrets'];
    assert.deepEqual(read([...given, ...more, ...switches]), {
      ...read([]),
      port: 0,
      host: '::1',
      data: 'x',
      seed: 'empty',
      metricsPort: 9464,
      metricsHost: '0.0.0.0',
      logFormat: 'json',
      logLevel: 'warn',
      drainSeconds: 5,
      fresh: true,
      allowLoopback: true,
      development: true,
      hideKeys: true,
      replaceSecrets: true,
    });
  });

  it('reads every option but two from the environment too, and lets the option win', () => {
    const environment = {
      WORKSPACE_PORT: '1',
      WORKSPACE_HOST: '::',
      WORKSPACE_DATA: 'y',
      WORKSPACE_SEED: 'demo',
      WORKSPACE_ALLOW_LOOPBACK: 'true',
      WORKSPACE_DEVELOPMENT: '1',
      WORKSPACE_METRICS_PORT: '2',
      WORKSPACE_METRICS_HOST: '::',
      WORKSPACE_LOG_FORMAT: 'pretty',
      WORKSPACE_LOG_LEVEL: 'error',
      WORKSPACE_HIDE_KEYS: 'true',
      WORKSPACE_REPLACE_SECRETS: 'true',
      WORKSPACE_DRAIN_SECONDS: '0',
    };
    const variables = all.flatMap(({ option, variable }) => (option && variable ? [variable] : []));
    assert.deepEqual(Object.keys(environment).toSorted(), variables.toSorted());
    const { port, host, development, logFormat, drainSeconds } = read(['--port', '3'], environment);
    assert.deepEqual([port, host, development, logFormat, drainSeconds], [3, '::', true, 'pretty', 0]);
    assert.equal(read([], { WORKSPACE_PORT: '' }).port, 8787, 'an empty variable counts as not set');
    assert.equal(read([], { WORKSPACE_DEVELOPMENT: 'false' }).development, false);
  });

  it('reads variables from a file, which does not replace those of the environment', () => {
    const file = envFile('WORKSPACE_PORT=4\nWORKSPACE_LOG_LEVEL=warn\nWORKSPACE_MODEL_URL=http://model.test/v1\n');
    const environment = { WORKSPACE_PORT: '5', WORKSPACE_LOG_LEVEL: '', WORKSPACE_MODEL_URL: '' };
    const { port, logLevel, model } = read(['--env-file', file], { ...environment, WORKSPACE_MODEL_NAME: 'small' });
    assert.deepEqual([port, logLevel, model?.url], [5, 'warn', 'http://model.test/v1']);
    assert.throws(() => read(['--env-file', `${file}.none`]), /--env-file cannot read/);
  });

  it('reads the first variable of a file with a byte order mark', () => {
    const file = envFile('\uFEFFWORKSPACE_PORT=4\r\nWORKSPACE_LOG_LEVEL=warn\r\n');
    const { port, logLevel } = read(['--env-file', file]);
    assert.deepEqual([port, logLevel], [4, 'warn']);
  });

  it('lists every option and every variable in the help', () => {
    assert.equal(readConfiguration(['--help'], {}), 'help');
    for (const { option, variable } of all) {
      if (option) assert.match(usage, new RegExp(`^  --${option}\\b`, 'm'));
      if (variable) assert.match(usage, new RegExp(`\\b${variable}\\b`));
    }
    assert.ok(usage.split('\n').every((line) => line.length < 150));
  });

  it('has an example file with every variable, whose values are valid, and the defaults except two', () => {
    const text = readFileSync(new URL('../../service/.env.example', import.meta.url), 'utf8');
    const uncommented = text.replaceAll(/^#(?=[A-Z])/gm, '');
    const environment = parseEnv(uncommented) as Record<string, string>;
    const variables = all.flatMap(({ variable }) => (variable ? [variable] : []));
    assert.deepEqual(Object.keys(environment).toSorted(), variables.toSorted());
    assert.equal(read([], environment).model?.name, environment['WORKSPACE_MODEL_NAME']);
    const others = all.filter((each) => each.default !== undefined && environment[each.variable!] !== each.default);
    assert.deepEqual(valuesOf(others, 'variable'), ['WORKSPACE_LOG_FORMAT', 'TRUST_PROXY']);
  });
});

describe('the configuration, with a value that is not valid', () => {
  for (const [args, complaint] of [
    [['--port', 'x'], /--port takes a number from 0 to 65535, not “x”/],
    [['--port', '65536'], /--port takes/],
    [['--metrics-port', '-1'], /metrics-port/],
    [['--seed', 'shop'], /--seed takes demo or empty, not “shop”/],
    ...['port', 'host', 'data', 'metrics-host', 'env-file'].map((option) => {
      return [[`--${option}`, ''], new RegExp(`--${option} needs a value`)] as const;
    }),
    [['--host='], /--host needs a value/],
    [['--log-format', 'xml'], /--log-format takes auto or json or pretty/],
    [['--log-level', 'debug'], /--log-level takes info or warn or error/],
    [['--drain-seconds', '4000'], /--drain-seconds takes a number from 0 to 3600/],
    [['--bad'], /Unknown option '--bad'/],
  ] as const) {
    it(`rejects the arguments ${args.join(' ')}`, () => assert.throws(() => read([...args]), complaint));
  }

  for (const [variable, value, complaint] of [
    ['WORKSPACE_PORT', 'http', /WORKSPACE_PORT takes a number/],
    ['WORKSPACE_DEVELOPMENT', 'maybe', /WORKSPACE_DEVELOPMENT takes true or false/],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', /OTEL_EXPORTER_OTLP_ENDPOINT is not an http/],
    ['WORKSPACE_MODEL_URL', 'localhost', /WORKSPACE_MODEL_URL is not an http/],
    ['WORKSPACE_TIME_ZONE', 'Muscat', /WORKSPACE_TIME_ZONE/],
    ['WORKSPACE_LANGUAGE', 'french', /WORKSPACE_LANGUAGE/],
    ['WORKSPACE_OWNER_EMAIL', 'maha', /WORKSPACE_OWNER_EMAIL/],
    ['WORKSPACE_NAME', 'x'.repeat(121), /WORKSPACE_NAME/],
    ['WORKSPACE_EMBEDDING_MIN_SIMILARITY', '1.5', /WORKSPACE_EMBEDDING_MIN_SIMILARITY takes a number from 0 to 1/],
  ] as const) {
    it(`rejects ${variable}=${value}`, () => assert.throws(() => read([], { [variable]: value }), complaint));
  }

  it('has the command check, and no other', () => {
    assert.equal(read([]).command, 'start');
    assert.equal(read(['check']).command, 'check');
    for (const args of [['chek'], ['check', 'twice']]) assert.throws(() => read(args), /There is no command/);
  });

  it('does not print the URL of a database, which may contain a password', () => {
    const url = 'postgres://service:secret@127.0.0.1/workspace';
    assert.equal(read([], { DATABASE_URL: url, DATABASE_DIRECT_URL: url }).databaseUrl, url);
    for (const variable of ['DATABASE_URL', 'DATABASE_DIRECT_URL']) {
      assert.throws(
        () => read([], { [variable]: 'service:secret@127.0.0.1' }),
        ({ message }: Error) => message.includes(variable) && !message.includes('secret'),
      );
    }
  });
});

describe('a variable that the service does not know', () => {
  const unknownOf = (names: string[]) =>
    read([], Object.fromEntries(names.map((name) => [name, 'x']))).unknownVariables.map(({ name, meant }) => [
      name,
      meant,
    ]);

  it('is reported when it has almost the name of a setting', () => {
    const { unknownVariables } = read(['--env-file', envFile('CONVERSATON_RETENTION_DAYS=5\n')]);
    assert.deepEqual(unknownVariables, [{ name: 'CONVERSATON_RETENTION_DAYS', meant: 'CONVERSATION_RETENTION_DAYS' }]);
    assert.deepEqual(unknownOf(['DATABASE_UR', 'workspace_seed', 'OIDC_SCOPES']), [
      ['DATABASE_UR', 'DATABASE_URL'],
      ['workspace_seed', 'WORKSPACE_SEED'],
      ['OIDC_SCOPES', 'OIDC_SCOPE'],
    ]);
  });

  it('is not reported when it belongs to another program, or is empty', () => {
    const kubernetes = [
      'WORKSPACE_SERVICE_SERVICE_HOST',
      'WORKSPACE_SERVICE_PORT',
      'WORKSPACE_SERVICE_PORT_80_TCP_ADDR',
    ];
    const others = [
      'PATH',
      'HTTP_URL',
      'TEAMS_URL',
      'DATABASE_URL_2',
      'NODE_ENV',
      'OTEL_SERVICE_NAME',
      'WORKSPACE_TMP',
    ];
    assert.deepEqual(unknownOf([...kubernetes, 'WORKSPACES_PORT', ...others, 'WORKSPACE_SECRET_KEY']), []);
    assert.deepEqual(read([], { DATABASE_UR: '' }).unknownVariables, []);
  });
});
