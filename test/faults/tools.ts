/** Faults of client tools: calls, arguments, results and consent that go wrong. */
import type { FaultGroup } from '../support/pages/fault.ts';
import { runFaults } from './tools/runs.ts';
import { consentFaults } from './tools/consent.ts';
import { responseFaults } from './tools/responses.ts';

export const toolFaults: FaultGroup = {
  title: 'client tools',
  faults: [...runFaults, ...consentFaults, ...responseFaults],
};
