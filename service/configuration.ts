/** Reads the settings of the service from the command line and the environment, and describes them. */
import { readFileSync } from 'node:fs';
import { parseArgs, parseEnv } from 'node:util';
import { mailFromConfiguration, type MailSettings } from './mail/settings.ts';
import { modelsFromEnvironment, type EmbeddingSettings, type ModelSettings } from './model/settings.ts';
import { signInFromConfiguration, type SignInSettings } from './sign-in/settings.ts';
import { settings, type Setting, type Settings } from './settings.ts';
import { unknownVariables, type UnknownVariable } from './unknown-variables.ts';

type ValueOf<Name extends keyof Settings> = ReturnType<Settings[Name]['parse']>;

/** A setting without a value and without a default is undefined. */
export type Configuration = {
  [Name in keyof Settings]: Settings[Name] extends
    | { value: string; default?: never }
    | { option?: never; default?: never }
    ? ValueOf<Name> | undefined
    : ValueOf<Name>;
} & {
  model: ModelSettings | undefined;
  embeddings: EmbeddingSettings | undefined;
  mail: MailSettings | undefined;
  signIn: SignInSettings | undefined;
  /** Variables that are set, and have no effect. */
  unknownVariables: UnknownVariable[];
  command: Command;
};

/** `check` examines the installation and ends. */
type Command = 'start' | 'check';

type Environment = Record<string, string | undefined>;

const all: [string, Setting][] = Object.entries(settings);
const variables = all.flatMap(([, { variable }]) => (variable === undefined ? [] : [variable]));
const isSwitch = ({ option, value }: Setting): boolean => option !== undefined && value === undefined;

/**
 * An option wins over its variable. An empty variable counts as not set. An empty option is an error: `--host "$HOST"`
 * without the variable must not listen on all interfaces.
 * @throws {Error} With a message for the terminal.
 */
export const readConfiguration = (args: string[], environment: Environment): Configuration | 'help' => {
  const { values: given, positionals } = parseOptions(args);
  const command = commandOf(positionals);
  if (given['help']) return 'help';
  const envFile = given['env-file'];
  if (typeof envFile === 'string') addVariablesOf(envFile, environment);
  const values = Object.fromEntries(all.map(([name, setting]) => [name, read(setting, given, environment)]));
  const configuration = values as Configuration;
  return {
    ...configuration,
    ...modelsFromEnvironment(environment),
    mail: mailFromConfiguration(configuration),
    signIn: signInFromConfiguration(configuration),
    unknownVariables: unknownVariables(environment, variables),
    command,
  };
};

const commandOf = ([name, ...others]: string[]): Command => {
  if (name === undefined) return 'start';
  if (name === 'check' && others.length === 0) return name;
  throw new Error(`There is no command “${[name, ...others].join(' ')}”. Run with --help to list the options.`);
};

type Given = Record<string, string | boolean | undefined>;

const parseOptions = (args: string[]): { values: Given; positionals: string[] } => {
  const options = all.flatMap(([, setting]) =>
    setting.option === undefined ? [] : [[setting.option, { type: isSwitch(setting) ? 'boolean' : 'string' }] as const],
  );
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...Object.fromEntries(options), help: { type: 'boolean', short: 'h' } },
  });
  const given: Given = values;
  const empty = Object.keys(given).find((option) => given[option] === '');
  if (empty !== undefined) throw new Error(`--${empty} needs a value. Leave the option out to use its default.`);
  return { values: given, positionals };
};

/**
 * Adds the variables of a file to the environment, which libraries also read. `process.loadEnvFile` would keep an empty
 * variable, and take the byte order mark of a file for a part of the first name.
 */
const addVariablesOf = (file: string, environment: Environment): void => {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch {
    throw new Error(`--env-file cannot read the file “${file}”.`);
  }
  for (const [name, value] of Object.entries(parseEnv(content.replace(/^\uFEFF/, '')))) environment[name] ||= value;
};

const read = (setting: Setting, given: Given, environment: Environment) => {
  const { option, variable, parse } = setting;
  const argument = option === undefined ? undefined : given[option];
  if (argument !== undefined) return parse(String(argument), `--${option}`);
  const text = variable === undefined ? undefined : environment[variable];
  if (text) return parse(text, variable!);
  if (setting.default !== undefined) return parse(setting.default, option ?? variable!);
  return isSwitch(setting) ? false : undefined;
};

const column = 37;
const line = (left: string, help: string[], suffix = ''): string =>
  help
    .map((each, at) => `${at === 0 ? `  ${left}`.padEnd(column) : ' '.repeat(column)}${each}`)
    .join('\n')
    .concat(suffix);

const describeOption = (setting: Setting): string => {
  const { option, value, default: initial, variable, help } = setting;
  const notes = [...(initial ? [`default: ${initial}`] : []), ...(variable ? [variable] : [])];
  return line(`--${option}${value ? ` ${value}` : ''}`, help, notes.length > 0 ? ` (${notes.join('; ')})` : '');
};

export const usage = [
  'Runs the service: the Workspace Assistant API v2.',
  '',
  '  npm run service -- [options]',
  '  npm run service -- check [--deep] [options]   examines the installation, and changes nothing',
  '',
  ...all.flatMap(([, setting]) => (setting.option === undefined ? [] : [describeOption(setting)])),
  line('--help', ['print this help']),
  '',
  'The name in parentheses is the environment variable of an option. Other variables:',
  ...all.flatMap(([, { option, variable, help }]) =>
    option === undefined && variable !== undefined ? [line(variable, help)] : [],
  ),
].join('\n');
