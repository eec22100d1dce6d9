/** The form of a statement of the API contract with its check, and helpers that write many of them. */
import assert from 'node:assert/strict';
import type { StatementContext } from './context.ts';
import type { FieldType } from './field-types.ts';

export interface Statement {
  /** The heading of the contract that the statement belongs to. */
  section: string;
  /** A sentence that makes sense alone. */
  statement: string;
  /** Makes calls over HTTP, and throws when the service does not meet the statement. */
  check(context: StatementContext): Promise<void>;
}

/** A statement of the contract that no call over HTTP can check. */
export interface UncheckedStatement {
  section: string;
  statement: string;
  reason: string;
}

type Check = Statement['check'];

/** Returns a function that writes the statements of a section. */
export const inSection = (section: string) => {
  return (statement: string, check: Check): Statement => ({ section, statement, check });
};

/** Records an exchange once for each service, when the first statement needs it. */
export const once = <Value>(record: (context: StatementContext) => Promise<Value>) => {
  const recorded = new WeakMap<StatementContext, Promise<Value>>();
  return (context: StatementContext): Promise<Value> => {
    const existing = recorded.get(context);
    if (existing) return existing;
    const value = record(context);
    recorded.set(context, value);
    return value;
  };
};

type RecordedCheck<Value> = (recorded: Value, context: StatementContext) => void | Promise<void>;

/** Writes a statement for each check of one record. */
export const about = <Value>(
  write: ReturnType<typeof inSection>,
  record: (context: StatementContext) => Promise<Value>,
  checks: Record<string, RecordedCheck<Value>>,
): Statement[] =>
  Object.entries(checks).map(([statement, check]) =>
    write(statement, async (context) => check(await record(context), context)),
  );

type FieldRow = readonly [field: string, type: FieldType, statement: string];

/** Writes a statement for each field of a resource. Each one reads the same examples. */
export const fieldStatements = (
  section: string,
  read: (context: StatementContext) => Promise<object[]>,
  rows: readonly FieldRow[],
): Statement[] => {
  return rows.map(([field, of, statement]) => ({
    section,
    statement,
    check: async (context) => assertField(await read(context), field, of),
  }));
};

const assertField = (examples: object[], field: string, of: FieldType): void => {
  assert.ok(examples.length > 0, 'There is no example.');
  let seen = 0;
  for (const example of examples) {
    const value: unknown = (example as Record<string, unknown>)[field];
    if (of.isOptional && (value === null || value === undefined)) continue;
    seen++;
    assert.ok(of.accepts(value), `${field} is ${JSON.stringify(value)}, not ${of.name}, in ${JSON.stringify(example)}`);
  }
  assert.ok(seen > 0, `No example has ${field}.`);
};

/** Asserts the status and the code of an error. */
export const assertError = (
  response: { status: number; error?: { code: string; details?: unknown } },
  status: number,
  code: string,
): void => {
  assert.deepEqual([response.status, response.error?.code], [status, code]);
};

/** Asserts that a request is rejected with 422 because of a field. */
export const assertInvalid = (
  response: { status: number; error: { code: string; details?: unknown } },
  field?: string,
): void => {
  assertError(response, 422, 'validation_error');
  const details = response.error.details;
  assert.ok(Array.isArray(details), JSON.stringify(response.error));
  const fields = details.map((detail: { field: string }) => detail.field);
  if (field !== undefined)
    assert.ok(
      fields.some((each) => each.startsWith(field)),
      `${field} is not in ${fields.join()}`,
    );
};
