/** Faults of the browser’s storage: missing, blocked, full, corrupt or closed. */
import type { EngineFault, FaultGroup } from '../support/pages/fault.ts';
import { databaseFaults } from './storage/database.ts';
import { recordFaults } from './storage/records.ts';

export const storageFaults: FaultGroup<EngineFault> = {
  title: 'storage',
  faults: [...databaseFaults, ...recordFaults],
};
