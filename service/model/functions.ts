/** The functions that a language model may call: the agent's actions, and some that every agent has. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../contract/wire.ts';
import type { Action, Turn } from '../replies/reply-source.ts';

export interface ModelFunction {
  name: string;
  description: string;
  parameters: JsonObject;
  /** Undefined for the functions that every agent has. */
  action?: Action;
}

const noParameters: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

const builtInFunctions: ModelFunction[] = [
  {
    name: 'no_answer',
    description: 'Says that the answer is not known. Call it when the passages and functions do not hold it.',
    parameters: noParameters,
  },
  {
    name: 'ask_for_person',
    description: 'Asks a person of the team to join the conversation. Only when the visitor wants one.',
    parameters: noParameters,
  },
];

const showProducts: ModelFunction = {
  name: 'show_products',
  description: 'Shows the visitor the products listed under “In the shop”, with their prices.',
  parameters: noParameters,
};

/** Added to the description of an action of the kind. */
const kindNotes = {
  http: '',
  client_tool: '',
  collect_data: ' It shows the visitor a form; ask for none of its fields yourself.',
  integration: ' It shows the visitor the free times to choose from.',
};

export const functionsFor = ({ actions, language }: Turn, hasProducts: boolean): ModelFunction[] => {
  const own = [...builtInFunctions, ...(hasProducts ? [showProducts] : [])];
  const taken = new Set(own.map(({ name }) => name));
  const offered = actions.map((action) => {
    const { name, id, kind, descriptionEn, descriptionAr, inputSchema } = action;
    const text = (language === 'ar' ? descriptionAr || descriptionEn : descriptionEn || descriptionAr) || name;
    const takesArguments = kind === 'http' || kind === 'client_tool';
    return {
      // Endpoints accept only names of this form.
      name: /^[A-Za-z0-9_-]{1,64}$/.test(name) && !taken.has(name) ? name : id,
      description: text + kindNotes[kind],
      parameters: takesArguments ? { type: 'object', properties: {}, ...inputSchema } : noParameters,
      action,
    };
  });
  return [...own, ...offered];
};

/** Schemas whose validators stay in memory. Compiling one takes milliseconds. */
const maxValidators = 500;

/** The library never frees what it compiled, so all validators are dropped together. */
const createValidators = () => ({
  // The regular expression of an owner could stop the service for minutes, so a value is not matched with it.
  ajv: new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).removeKeyword('pattern'),
  bySchema: new Map<string, ValidateFunction>(),
});
let validators = createValidators();

/** Each turn has schema objects of its own, so that a validator is found by the text of its schema. */
const validatorOf = (parameters: JsonObject): ValidateFunction => {
  const schema = JSON.stringify(parameters);
  const known = validators.bySchema.get(schema);
  if (known) return known;
  if (validators.bySchema.size >= maxValidators) validators = createValidators();
  if (schema.includes('"patternProperties"')) throw new Error('The names of these members are regular expressions.');
  // The validator of an asynchronous schema returns a promise, and its rejection would end the process.
  const validator = validators.ajv.compile({ ...(JSON.parse(schema) as JsonObject), $async: false });
  validators.bySchema.set(schema, validator);
  return validator;
};

/** Returns a description of what is wrong with the arguments of a call, or undefined when they are valid. */
export const argumentError = ({ parameters }: ModelFunction, args: unknown): string | undefined => {
  try {
    const validate = validatorOf(parameters);
    return validate(args) ? undefined : validators.ajv.errorsText(validate.errors, { dataVar: 'arguments' });
  } catch {
    // The owner's schema is not valid or not supported, so it cannot reject anything.
    return typeof args === 'object' && args !== null ? undefined : 'arguments must be an object';
  }
};
