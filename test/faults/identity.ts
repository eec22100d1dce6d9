/** Faults of identity: proofs that fail, and conversations that belong to another visitor. */
import type { EngineFault, FaultGroup } from '../support/pages/fault.ts';
import { erasingFaults } from './identity/erasing.ts';
import { proofFaults } from './identity/proofs.ts';
import { visitorFaults } from './identity/visitors.ts';
import { renewalFaults } from './identity/renewal.ts';

export const identityFaults: FaultGroup<EngineFault> = {
  title: 'identity',
  faults: [...proofFaults, ...visitorFaults, ...erasingFaults, ...renewalFaults],
};
