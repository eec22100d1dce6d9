/** What a field of a resource can be. A statement file imports all of them as `is`. */

export interface FieldType {
  name: string;
  /** An optional value may be null or absent, but at least one example must have it. */
  isOptional: boolean;
  accepts(value: unknown): boolean;
}

const type = (name: string, accepts: FieldType['accepts']): FieldType => ({ name, isOptional: false, accepts });

export const text = type('a text', (value) => typeof value === 'string');
export const id = type('an id', (value) => typeof value === 'string' && value.length > 0);
export const flag = type('true or false', (value) => typeof value === 'boolean');
export const integer = type('an integer', (value) => Number.isInteger(value));
export const record = type(
  'an object',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
export const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
export const time = type('a time in ISO 8601', (value) => typeof value === 'string' && isoTime.test(value));
export const listOf = (item: FieldType) =>
  type(`a list of ${item.name}`, (value) => Array.isArray(value) && value.every((each) => item.accepts(each)));
export const oneOf = (...values: unknown[]) => type(`one of ${values.join(', ')}`, (value) => values.includes(value));
export const matching = (pattern: RegExp) =>
  type(String(pattern), (value) => typeof value === 'string' && pattern.test(value));
export const optional = (of: FieldType): FieldType => ({ ...of, isOptional: true });

export const channels = ['website', 'hosted', 'api', 'email', 'slack', 'voice_web'];
export const states = ['ai_active', 'handoff_requested', 'human_active', 'closed'];
