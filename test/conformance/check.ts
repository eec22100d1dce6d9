/** Checks the statements of the API contract on any implementation, and reports what it does differently. */
import { MissingError, type Need } from '../service/statements/missing.ts';
import type { Statement } from '../service/statements/statement.ts';
import { ConformanceContext, type Implementation } from './context.ts';

export type Result = { statement: Statement } & (
  | { outcome: 'met' }
  | { outcome: 'different'; error: string }
  | { outcome: 'not checked'; need: Need }
);

export const titleOf = ({ section, statement }: Statement): string => `§ ${section}: ${statement}`;

export interface CheckOptions {
  /** The port of the receiver of webhooks. By default, any free one. */
  port?: number;
  onResult?(result: Result): void;
}

/** Checks one statement after the other, and passes each result on. */
export const checkConformance = async (
  implementation: Implementation,
  statements: Statement[],
  { port = 0, onResult = () => {} }: CheckOptions = {},
): Promise<Result[]> => {
  const context = new ConformanceContext(implementation);
  await context.server.listen(port);
  const results: Result[] = [];
  try {
    await context.prepare();
    for (const statement of statements) {
      const result = await check(context, statement);
      await context.deleteWebhooks();
      results.push(result);
      onResult(result);
    }
  } finally {
    context.server.close();
    await context.cleanUp();
  }
  return results;
};

const check = async (context: ConformanceContext, statement: Statement): Promise<Result> => {
  try {
    await statement.check(context);
    return { statement, outcome: 'met' };
  } catch (error) {
    if (error instanceof MissingError) return { statement, outcome: 'not checked', need: error.need };
    return { statement, outcome: 'different', error: error instanceof Error ? error.message : String(error) };
  }
};

export const reportOf = (results: Result[]): string => {
  const count = (outcome: Result['outcome']) => results.filter((each) => each.outcome === outcome).length;
  const different = results.flatMap((result) =>
    result.outcome === 'different'
      ? [`- ${titleOf(result.statement)}\n    ${result.error.replaceAll('\n', '\n    ')}`]
      : [],
  );
  const needs = new Map<Need, number>();
  for (const result of results) {
    if (result.outcome === 'not checked') needs.set(result.need, (needs.get(result.need) ?? 0) + 1);
  }
  const unchecked = [...needs].toSorted(([, a], [, b]) => b - a);
  return [
    ...(different.length > 0 ? ['Different from the contract:', ...different, ''] : []),
    ...(unchecked.length > 0
      ? ['Not checked:', ...unchecked.map(([need, total]) => `- ${total} need ${need}`), '']
      : []),
    `${count('met')} statements met, ${count('different')} different, ${count('not checked')} not checked`,
  ].join('\n');
};
