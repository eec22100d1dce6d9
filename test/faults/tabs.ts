/** Faults of tabs and pages: several tabs, navigation, suspended and crashed tabs, moved elements. */
import type { EngineFault, FaultGroup } from '../support/pages/fault.ts';
import { severalTabsFaults } from './tabs/several-tabs.ts';
import { pageLifecycleFaults } from './tabs/page-lifecycle.ts';
import { hostPageFaults } from './tabs/host-page.ts';
import { libraryFaults } from './tabs/libraries.ts';

export const tabFaults: FaultGroup<EngineFault> = {
  title: 'tabs and pages',
  faults: [...severalTabsFaults, ...pageLifecycleFaults, ...hostPageFaults, ...libraryFaults],
};
