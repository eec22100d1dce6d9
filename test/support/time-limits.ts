/** Time limits of the tests, which grow with the load of the machine. Only a test that fails waits as long as its limit. */
import { availableParallelism, loadavg } from 'node:os';

/**
 * How many times longer a test may take than on an idle machine. `TEST_TIME_FACTOR` sets it. The run measures the load once and
 * passes the factor on to its processes, so that all of them agree.
 */
export const timeFactor = Number(
  (process.env['TEST_TIME_FACTOR'] ??= String(Math.max(1, Math.ceil(loadavg()[0]! / availableParallelism())))),
);

/** Returns a limit in milliseconds for this machine. */
export const limit = (milliseconds: number): number => milliseconds * timeFactor;
