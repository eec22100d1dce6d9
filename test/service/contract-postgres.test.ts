import { after, it } from 'node:test';
import { findPostgres, noPostgres } from '../support/servers/postgres.ts';
import { describeContract } from './contract.ts';
import { testService } from './support.ts';

const server = await findPostgres();
if (server) {
  describeContract(async () => testService({ databaseUrl: (await server.database()).url }));
  after(() => server.stop());
} else {
  it('the contract on PostgreSQL', { skip: noPostgres }, () => {});
}
