/** Halts the process that runs a page, as a system does that puts a tab to sleep. */
import { kill } from 'node:process';
import type { FaultPage } from '../pages/fault-page.ts';

/**
 * Nothing tells which of the browser's processes is the page's, except that it answers no more when it is the one.
 * @returns Wakes it up.
 */
export const haltRenderer = async ({ context, page }: FaultPage): Promise<() => void> => {
  const session = await context.browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  for (const { type, id } of processInfo) {
    if (type !== 'renderer') continue;
    kill(id, 'SIGSTOP');
    const answer = page.evaluate(() => 'awake');
    const asleep = new Promise<string>((resolve) => setTimeout(resolve, 1_000, 'asleep'));
    if ((await Promise.race([answer, asleep])) === 'asleep') return () => kill(id, 'SIGCONT');
    kill(id, 'SIGCONT');
  }
  throw new Error('The page answers, whichever process is halted.');
};
