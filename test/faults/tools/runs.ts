/** Faults of one run of a client tool: arguments, results and timeouts. */
import type { Fault } from '../../support/pages/fault.ts';
import { working, toolFault } from './tool-fault.ts';

const schema = (body: string) => `parameters: { '~standard': { validate: (value) => { ${body} } } },`;

export const runFaults: Fault[] = [
  toolFault({
    name: 'a tool that works',
    cause: 'No fault, for comparison with the others.',
    outcome: '“Used: Order status”, and the reply.',
    members: working,
    shows: 'Used: Order status',
    sentResult: { order: '7', status: 'shipped' },
  }),
  toolFault({
    name: 'an unknown tool',
    cause: 'The agent calls a tool that the page has not registered.',
    outcome: '“Failed”, and the reply.',
    members: working,
    fields: { name: 'empty_account' },
    shows: 'Failed: a feature of this page',
    sentResult: 'unknown_tool',
    runs: 0,
  }),
  toolFault({
    name: 'a tool that throws',
    cause: 'The tool throws an error with a message.',
    outcome: '“Failed”. The message of the error is not sent to the agent.',
    members: 'run: () => { window.runs++; throw new Error("password=hunter2"); }',
    shows: 'Failed: Order status',
    sentResult: 'tool_error',
    allowedErrors: /a client tool failed/,
  }),
  toolFault({
    name: 'arguments that do not fit',
    cause: 'The tool’s schema rejects the arguments.',
    outcome: '“Failed”; the tool never runs.',
    members: `${schema('return { issues: [{ message: "no" }] };')} ${working}`,
    shows: 'Failed: Order status',
    sentResult: 'invalid_arguments',
    runs: 0,
  }),
  toolFault({
    name: 'arguments that the schema changes',
    cause: 'The tool’s schema resolves to another value.',
    outcome: '“Used: Order status”, and the reply.',
    members: `${schema('return Promise.resolve({ value: { order: Number(value.order) } });')} ${working}`,
    shows: 'Used: Order status',
    sentResult: { order: 7, status: 'shipped' },
  }),
  toolFault({
    name: 'a result that is too large',
    cause: 'The tool returns more than 8,000 characters.',
    outcome: '“Failed”, and the reply.',
    members: 'run: () => { window.runs++; return { text: "x".repeat(8_000) }; }',
    shows: 'Failed: Order status',
    sentResult: 'result_too_large',
  }),
  toolFault({
    name: 'a result that cannot be serialized',
    cause: 'The tool returns an object that contains itself.',
    outcome: '“Failed”, and the reply.',
    members: 'run: () => { window.runs++; const loop = {}; loop.loop = loop; return loop; }',
    shows: 'Failed: Order status',
    sentResult: 'invalid_result',
  }),
  toolFault({
    name: 'a tool that hangs',
    cause: 'The tool never settles and ignores its signal.',
    outcome: 'After the timeout of the call “Failed”, and the reply.',
    members: 'run: () => { window.runs++; return new Promise(() => {}); }',
    page: { hasFakeClock: true },
    meanwhile: async (page) => {
      await page.element.locator('.tool-running').waitFor();
      await page.fastForward(15_500);
    },
    shows: 'Failed: Order status',
    sentResult: 'timeout',
  }),
  toolFault({
    name: 'a tool with its own timeout',
    cause: 'The tool has a timeout of two seconds and never settles.',
    outcome: 'After two seconds “Failed”, and the reply.',
    members: 'timeoutMs: 2_000, run: () => { window.runs++; return new Promise(() => {}); }',
    page: { hasFakeClock: true },
    meanwhile: async (page) => {
      await page.element.locator('.tool-running').waitFor();
      await page.fastForward(2_500);
    },
    shows: 'Failed: Order status',
    sentResult: 'timeout',
  }),
  toolFault({
    name: 'a schema that hangs',
    cause: 'The tool’s schema never settles.',
    outcome: 'After the timeout of the call “Failed”, and the reply.',
    members: `${schema('window.isValidating = true; return new Promise(() => {});')} ${working}`,
    page: { hasFakeClock: true },
    meanwhile: async (page) => {
      await page.expectStored('visitor confirmed: Hi', 'ai interrupted: ', 'credentials cnv_1');
      await page.page.waitForFunction('window.isValidating');
      await page.fastForward(15_500);
    },
    shows: 'Failed: Order status',
    sentResult: 'timeout',
    runs: 0,
  }),
];
