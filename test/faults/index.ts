/** All faults, in the order of the docs. */
import type { FaultGroup } from '../support/pages/fault.ts';
import { identityFaults } from './identity.ts';
import { personFaults } from './person.ts';
import { serviceFaults } from './service.ts';
import { sendingFaults } from './sending.ts';
import { storageFaults } from './storage.ts';
import { tabFaults } from './tabs.ts';
import { toolFaults } from './tools.ts';
import { turnFaults } from './turn.ts';

export const faultGroups: FaultGroup[] = [
  turnFaults,
  sendingFaults,
  storageFaults,
  tabFaults,
  identityFaults,
  toolFaults,
  personFaults,
  serviceFaults,
];
