/**
 * Runs the test files that the parent names, one after the other in this process: loading the service and starting a database
 * take longer than most files. Each file becomes a suite, so that its hooks belong to its own tests.
 */
import { describe } from 'node:test';

/** A message from the runner: the compiled file to run next, or `end` after the last one. */
export type Order = { name: string; url: string } | 'end';

/** The process leads a group, which ends as a whole when the runner is gone. */
const endGroup = () => process.kill(-process.pid, 'SIGKILL');

process.on('message', (order: Order) => {
  if (order === 'end') {
    process.off('disconnect', endGroup);
    process.disconnect();
  } else void describe(order.name, () => import(order.url));
});
process.once('disconnect', endGroup);
