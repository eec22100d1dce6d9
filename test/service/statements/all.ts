/** All statements of the API contract, and those that no call over HTTP can check. */
import { agentStatements } from './agents.ts';
import { chatStatements } from './chat.ts';
import { indexingStatements } from './indexing.ts';
import { sourceStatements } from './sources.ts';
import { streamStatements } from './streams.ts';
import type { Statement } from './statement.ts';

export const statements: Statement[] = [
  ...[agentStatements, sourceStatements, indexingStatements, chatStatements, streamStatements].flat(),
];
