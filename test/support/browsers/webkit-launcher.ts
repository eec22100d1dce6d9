/** Starts WebKitGTK for Web Test Runner. */
import type { BrowserLauncher } from '@web/test-runner';
import { startWebKit, webkitPath, type WebKitProcess } from './webkit.ts';

/** Returns null when there is no WebKitGTK and none can be installed. */
export const webkitLauncher = (): BrowserLauncher | null => {
  const binary = webkitPath();
  if (!binary) return null;
  let driver: WebKitProcess;
  let session: string | null = null;
  let activeId: string | null = null;

  const endSession = async (): Promise<void> => {
    if (session) await driver.send('DELETE', session);
    session = null;
  };

  return {
    name: 'WebKitGTK',
    type: 'webdriver',
    concurrency: 1,
    async initialize() {
      driver = await startWebKit(binary);
    },
    async startSession(id, url) {
      session = await driver.startSession();
      activeId = id;
      await driver.send('POST', `${session}/url`, { url });
    },
    isActive: (id) => activeId === id,
    getBrowserUrl: () => undefined,
    async stopSession() {
      activeId = null;
      await endSession();
      return {};
    },
    async stop() {
      await endSession().catch(() => {});
      driver.stop();
    },
    async startDebugSession() {
      throw new Error('WebKitGTK has no window to debug in.');
    },
  };
};
