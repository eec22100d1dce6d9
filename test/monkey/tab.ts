/** A tab of the browser with the widget. */
import type { Page, Request } from '@playwright/test';
import type { VisitorName } from './model.ts';
import type { agent } from './page/agent.ts';

type Agent = typeof agent;

export class Tab {
  readonly page: Page;
  readonly number: number;
  /** The visitor that the site has passed to the element of this tab. */
  visitor: VisitorName | null;
  isHidden = false;
  /** When the next timer of the page is due, or infinity. */
  nextTimerAt = Infinity;
  /** The requests for the page and its scripts: in flight, and all of them so far. */
  readonly loading = { inFlight: 0, count: 0 };

  /** @param siteUrl The address of the page and its scripts. */
  constructor(page: Page, number: number, visitor: VisitorName | null, siteUrl: string) {
    this.page = page;
    this.number = number;
    this.visitor = visitor;
    const isOfSite = (request: Request) => request.url().startsWith(siteUrl);
    page.on('request', (request) => {
      if (!isOfSite(request)) return;
      this.loading.inFlight++;
      this.loading.count++;
    });
    const onEnd = (request: Request) => {
      if (isOfSite(request)) this.loading.inFlight--;
    };
    page.on('requestfinished', onEnd);
    page.on('requestfailed', onEnd);
  }

  /** Calls a function of the script in the page. */
  async call<Name extends keyof Agent>(
    name: Name,
    ...args: Parameters<Agent[Name]>
  ): Promise<Awaited<ReturnType<Agent[Name]>>> {
    const result = await this.page.evaluate(
      ([name, args]) => {
        const { monkey } = window as unknown as { monkey: Record<string, (...args: unknown[]) => unknown> };
        return monkey[name]!(...args);
      },
      [name as string, args as unknown[]] as const,
    );
    return result as Awaited<ReturnType<Agent[Name]>>;
  }

  /** See `agent.pulse`. Returns what changes while the page is active. */
  async pulse(now: number): Promise<{ pending: number; activity: string }> {
    const { nextTimerAt, pending, ...activity } = await this.call('pulse', now);
    this.nextTimerAt = nextTimerAt ?? Infinity;
    const { inFlight, count } = this.loading;
    return { pending: pending + inFlight, activity: JSON.stringify([activity, count]) };
  }
}
