/** Connects a page of Playwright to a fake service, for tests of a whole page with the real widget. */
import { parseJson, toObject } from '../../api/decode-values.ts';
import { toJson } from '../../api/encoding.ts';
import type { FakeService } from './fake-service.ts';

/** The part of Playwright's `Route` that is used. */
interface PlaywrightRoute {
  request(): { url(): string; headers(): Record<string, string>; postData(): string | null };
  fulfill(response: { status: number; headers: Record<string, string>; body: string }): Promise<void>;
  abort(): Promise<void>;
}

/** Playwright's `Page` or `BrowserContext`. */
export interface PlaywrightPage {
  route(url: (url: URL) => boolean, handler: (route: PlaywrightRoute) => Promise<void>): Promise<unknown>;
}

/**
 * Sends a page's calls of the API to a fake service. Give the fake service the values that the page configures. Playwright
 * delivers a whole response at once, so a reply does not stream, no tools are called, and `interrupted` is like `offline`.
 * @example
 * ```js
 * const service = createFakeService({ baseUrl, publishableKey, agentId });
 * await routeFakeService(page, service);
 * ```
 */
export const routeFakeService = async (page: PlaywrightPage, service: FakeService): Promise<void> => {
  const isOfService = ({ href }: URL): boolean => href.startsWith(`${service.baseUrl}/`);
  await page.route(isOfService, async (route) => {
    const request = route.request();
    try {
      const { client_tools: _, ...call } = toObject(parseJson(request.postData() ?? ''));
      // A tool's result would be needed before the response is delivered.
      const response = await service.fetch(request.url(), { headers: request.headers(), body: toJson(call) });
      const headers = Object.fromEntries(response.headers);
      await route.fulfill({ status: response.status, headers, body: await response.text() });
    } catch {
      // The page may be closed by now.
      await route.abort().catch(() => {});
    }
  });
};
