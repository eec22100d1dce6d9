/** `npm run conformance -- --base-url … --key … --agent …`: checks the API contract on any implementation. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { statements } from '../service/statements/all.ts';
import { checkConformance, reportOf, titleOf } from './check.ts';

const usage = `npm run conformance -- --base-url URL --key KEY --agent ID [options]

  --base-url         with the version: https://api.example/api/v2
  --key              a secret key with every scope
  --agent            a live agent. The checks add sources, actions, contacts, leads and conversations: use a workspace for tests

Each option below adds statements. The report counts those that it leaves out.

  --publishable-key  a key for websites
  --identity-secret  the identity secret of the agent
  --paused-agent     another agent, which is paused and has no conversations
  --receiver-url     where the service reaches this machine: the https address of a tunnel to the port of the receiver
  --port             the port of the receiver, by default 8799
  --only TEXT        only the statements whose title contains the text
  --json FILE        writes every result to a file`;

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    key: { type: 'string' },
    agent: { type: 'string' },
    'publishable-key': { type: 'string' },
    'identity-secret': { type: 'string' },
    'paused-agent': { type: 'string' },
    'receiver-url': { type: 'string' },
    port: { type: 'string', default: '8799' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
});

const run = async (): Promise<number> => {
  const { 'base-url': baseUrl, key, agent: agentId, only, json, port } = values;
  if (values.help || !baseUrl || !key || !agentId) {
    console.error(usage);
    return values.help ? 0 : 2;
  }
  const receiverUrl = values['receiver-url']?.replace(/\/$/, '');
  const receiver = `http://127.0.0.1:${port}`;
  console.log(
    receiverUrl === undefined
      ? `Without --receiver-url, nothing that calls this machine is checked. Open a tunnel to ${receiver}, for example with
  cloudflared tunnel --url ${receiver}
and pass its https address.\n`
      : `The receiver of webhooks listens at ${receiver}, and the service calls it at ${receiverUrl}.\n`,
  );
  const implementation = {
    baseUrl,
    key,
    agentId,
    pausedAgentId: values['paused-agent'],
    publishableKey: values['publishable-key'],
    identitySecret: values['identity-secret'],
    receiverUrl,
    clock: {
      now: Date.now,
      wait: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
    },
  };
  const wanted = statements.filter((each) => titleOf(each).includes(only));
  const results = await checkConformance(implementation, wanted, {
    port: Number(port),
    onResult: ({ statement, outcome }) => console.log(`${outcome.padEnd(11)} ${titleOf(statement)}`),
  });
  console.log(`\n${reportOf(results)}`);
  if (json) {
    const rows = results.map(({ statement, ...result }) => ({ title: titleOf(statement), ...result }));
    writeFileSync(json, `${JSON.stringify(rows, null, 2)}\n`);
  }
  return results.some(({ outcome }) => outcome === 'different') ? 1 : 0;
};

process.exitCode = await run();
