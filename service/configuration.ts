/** Reads the settings of the service from the command line and the environment, and describes them. */
import { parseArgs } from 'node:util';
import { mailFromConfiguration, type MailSettings } from './mail/settings.ts';
import { modelsFromEnvironment, type EmbeddingSettings, type ModelSettings } from './model/settings.ts';
import { settings, type Setting, type Settings } from './settings.ts';

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
};

type Environment = Record<string, string | undefined>;

const all: [string, Setting][] = Object.entries(settings);
const isSwitch = ({ option, value }: Setting): boolean => option !== undefined && value === undefined;

/**
 * An option wins over its variable. An empty variable counts as not set.
 * @throws {Error} With a message for the terminal.
 */
export const readConfiguration = (args: string[], environment: Environment): Configuration | 'help' => {
  const given = parseOptions(args);
  if (given['help']) return 'help';
  const envFile = given['env-file'];
  const variables = typeof envFile === 'string' ? withFile(envFile, environment) : environment;
  const values = Object.fromEntries(all.map(([name, setting]) => [name, read(setting, given, variables)]));
  const configuration = values as Configuration;
  return { ...configuration, ...modelsFromEnvironment(variables), mail: mailFromConfiguration(configuration) };
};

const parseOptions = (args: string[]): Record<string, string | boolean | undefined> => {
  const options = all.flatMap(([, setting]) =>
    setting.option === undefined ? [] : [[setting.option, { type: isSwitch(setting) ? 'boolean' : 'string' }] as const],
  );
  return parseArgs({
    args,
    options: { ...Object.fromEntries(options), help: { type: 'boolean', short: 'h' } },
  }).values;
};

/** The variables of the environment, which the file does not replace. */
const withFile = (file: string, environment: Environment): Environment => {
  try {
    process.loadEnvFile(file);
  } catch {
    throw new Error(`--env-file cannot read the file “${file}”.`);
  }
  return { ...process.env, ...environment };
};

const read = (setting: Setting, given: Record<string, string | boolean | undefined>, environment: Environment) => {
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
  '',
  ...all.flatMap(([, setting]) => (setting.option === undefined ? [] : [describeOption(setting)])),
  line('--help', ['print this help']),
  '',
  'The name in parentheses is the environment variable of an option. Other variables:',
  ...all.flatMap(([, { option, variable, help }]) =>
    option === undefined && variable !== undefined ? [line(variable, help)] : [],
  ),
].join('\n');
