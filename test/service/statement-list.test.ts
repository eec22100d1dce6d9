/** The list of statements is complete: it names every operation, error code and event type of the API contract. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorCodes } from '../../contract/error-codes.ts';
import { subscribableEvents } from '../../service/core/event-types.ts';
import { scopes } from '../../service/core/scopes.ts';
import { operations } from './operations.ts';
import { statements } from './statements/all.ts';
import { unchecked } from './statements/unchecked.ts';

const sentences = statements.map(({ statement }) => statement);
const names = (wanted: string): boolean => {
  const escaped = wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`(?<![\\w/])${escaped}(?![\\w/{]|\\.\\w)`);
  return sentences.some((sentence) => pattern.test(sentence));
};
const missing = (wanted: readonly string[]): string[] => wanted.filter((each) => !names(each));

describe('the statements of the API contract', () => {
  it('are at least 400', () => assert.ok(statements.length >= 400, String(statements.length)));

  it('have different titles', () => {
    const titles = statements.map(({ section, statement }) => `${section}: ${statement}`);
    assert.deepEqual(
      titles.filter((title, at) => titles.indexOf(title) < at),
      [],
    );
  });

  it('are sentences', () => {
    for (const sentence of sentences) assert.match(sentence, /^[A-Za-z].*\.$/u);
  });

  it('name every operation', () => assert.deepEqual(missing(operations), []));
  it('name every error code', () => assert.deepEqual(missing(errorCodes), []));
  it('name every event type', () => assert.deepEqual(missing([...subscribableEvents, 'webhook.test']), []));
  it('name every scope', () => assert.deepEqual(missing(scopes), []));

  it('have a check, except fewer than five with a reason', () => {
    assert.ok(unchecked.length < 5);
    for (const { reason } of unchecked) assert.ok(reason.length > 20);
  });
});
