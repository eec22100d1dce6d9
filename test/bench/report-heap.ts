/**
 * Loaded into the measured process by `NODE_OPTIONS=--import`. On SIGUSR2, it collects garbage and writes the used script heap, in
 * bytes, to the file that HEAP_REPORT names.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const file = process.env['HEAP_REPORT'];

const report = async (path: string): Promise<void> => {
  const session = new Session();
  session.connect();
  // Twice: the first collection runs finalizers that free more.
  await session.post('HeapProfiler.collectGarbage');
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
  writeFileSync(`${path}.part`, String(process.memoryUsage().heapUsed));
  renameSync(`${path}.part`, path);
};

if (file) process.on('SIGUSR2', () => void report(file));
