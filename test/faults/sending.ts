/** Faults of sending: repeated input, missing network, rate limits and refusals. */
import type { FaultGroup } from '../support/pages/fault.ts';
import { inputFaults } from './sending/input.ts';
import { offlineFaults } from './sending/offline.ts';
import { rateLimitFaults } from './sending/rate-limits.ts';
import { refusalFaults } from './sending/refusals.ts';
import { repetitionFaults } from './sending/repetition.ts';
import { stopFaults } from './sending/stop.ts';
import { textFaults } from './sending/text.ts';
import { truthFaults } from './sending/truth.ts';

export const sendingFaults: FaultGroup = {
  title: 'sending',
  faults: [
    ...inputFaults,
    ...offlineFaults,
    ...rateLimitFaults,
    ...refusalFaults,
    ...repetitionFaults,
    ...stopFaults,
    ...textFaults,
    ...truthFaults,
  ],
};
