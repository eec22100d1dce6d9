/** Faults of one streamed reply, caused by the network, a proxy or the service. */
import type { FaultGroup } from '../support/pages/fault.ts';
import { connectionFaults } from './turn/connection.ts';
import { responseFaults } from './turn/response.ts';
import { eventFaults } from './turn/events.ts';
import { timingFaults } from './turn/timing.ts';
import { byteFaults } from './turn/bytes.ts';
import { effectFaults } from './turn/effects.ts';

export const turnFaults: FaultGroup = {
  title: 'one turn',
  faults: [...connectionFaults, ...responseFaults, ...eventFaults, ...timingFaults, ...byteFaults, ...effectFaults],
};
