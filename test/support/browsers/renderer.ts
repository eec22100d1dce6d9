/** Suspends the process that renders a page, as an operating system does with a background tab. */
import { kill } from 'node:process';
import type { FaultPage } from '../pages/fault-page.ts';

/**
 * Suspends the page's renderer. The browser does not report which process renders a page, so the page is kept busy for a
 * moment, and the renderer whose CPU time grows most is suspended.
 * @returns Resumes the process.
 */
export const suspendRenderer = async ({ context, page }: FaultPage): Promise<() => void> => {
  const session = await context.browser()!.newBrowserCDPSession();
  const cpuTimes = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]));
  };
  const before = await cpuTimes();
  await page.evaluate(() => {
    for (const start = performance.now(); performance.now() - start < 400;);
  });
  const growth = [...(await cpuTimes())].map(([id, time]) => ({ id, grown: time - (before.get(id) ?? 0) }));
  await session.detach();
  const { id } = growth.reduce((most, other) => (other.grown > most.grown ? other : most));
  kill(id, 'SIGSTOP');
  return () => kill(id, 'SIGCONT');
};
