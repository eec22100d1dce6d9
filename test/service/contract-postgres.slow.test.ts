import { after, it } from 'node:test';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { describeContract } from './contract.ts';
import { createTestService } from './support.ts';

const server = await findPostgres();
if (server) {
  describeContract(async () => createTestService({ databaseUrl: (await server.database()).url }));
  after(() => server.stop());
} else {
  it('fulfills the contract on PostgreSQL', { skip: noPostgresReason }, () => {});
}
