/** The world of a run: the browser's tabs, the site, the service, and the time. */
import type { Browser, BrowserContext } from '@playwright/test';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import type { BehaviorName } from './behaviors.ts';
import { Model, type VisitorName } from './model.ts';
import type { PageSettings } from './page/settings.ts';
import { MonkeyServer } from './server.ts';
import type { Run, Step } from './steps.ts';
import { Tab } from './tab.ts';
import { VirtualTime } from './virtual-time.ts';
import { Violation } from './violation.ts';

/** What all runs of a worker share. */
export interface Stage {
  readonly browser: Browser;
  readonly hostileServer: HostileServer;
  readonly siteUrl: string;
  /** Sets the settings of the pages that the site serves from now on. */
  serve(settings: () => PageSettings): void;
}

const { MONKEY_INVARIANT } = process.env;
const isReported = (invariant: string) => !MONKEY_INVARIANT || MONKEY_INVARIANT.split(',').includes(invariant);

const startTime = Date.UTC(2026, 0, 5, 9);
/** Milliseconds. Shorter than every timeout of the widget between its tabs. */
const slice = 5_000;
const maxRounds = 80;

export class World {
  readonly model = new Model();
  readonly time = new VirtualTime(startTime);
  readonly server: MonkeyServer;
  readonly tabs: Tab[] = [];
  readonly log: string[] = [];
  readonly consoleTexts: string[] = [];
  readonly run: Run;
  isOnline = true;
  hasStorageFault = false;
  /** Whether the step before has settled. */
  isSettled = true;
  active!: Tab;
  readonly #stage: Stage;
  readonly #context: BrowserContext;
  readonly #violations: Violation[] = [];
  readonly #lateViolations: Violation[] = [];
  #step: Step | null = null;
  #requests = 0;
  #tabCount = 0;

  private constructor(stage: Stage, run: Run, context: BrowserContext) {
    this.#stage = stage;
    this.#context = context;
    this.run = run;
    this.server = new MonkeyServer({
      model: this.model,
      time: this.time,
      draw: () => this.#drawBehavior(),
      visitorOf: (contact) =>
        (/customer-([AB])/.exec(JSON.stringify(contact ?? null))?.[1] ??
          this.#visitorOfToken(contact)) as VisitorName | null,
      report: (invariant, detail) => this.report(invariant, detail),
      log: (line) => this.log.push(line),
    });
    stage.hostileServer.reset();
    stage.hostileServer.onEvery({
      chat: (call) => this.server.chat(call),
      toolResult: (call) => this.server.toolResult(call),
    });
    stage.serve(() => this.#settings());
  }

  static async open(stage: Stage, run: Run): Promise<World> {
    const context = await stage.browser.newContext({ viewport: { width: 500, height: 700 }, locale: 'en-GB' });
    context.setDefaultTimeout(10_000);
    const world = new World(stage, run, context);
    world.active = await world.openTab();
    return world;
  }

  async close(): Promise<void> {
    this.time.clear();
    await this.#context.close();
    this.#stage.hostileServer.reset();
  }

  /** Whether what is written stays after the page is left. */
  get isDurable(): boolean {
    const { storage } = this.run.environment;
    return storage !== 'memory' && storage !== 'blocked' && !(storage === 'full' && this.hasStorageFault);
  }

  report(invariant: string, detail: string): void {
    if (!isReported(invariant)) return;
    this.#violations.push(new Violation(invariant, detail, this.#step?.id ?? null));
  }

  /** Reports a violation that must not hide the other ones of the run. */
  reportLate(invariant: string, detail: string): void {
    if (!isReported(invariant)) return;
    this.#lateViolations.push(new Violation(invariant, detail, this.#step?.id ?? null));
  }

  /** Throws the first violation that was reported. */
  throwViolation({ isOver = false } = {}): void {
    const [first] = isOver ? [...this.#violations, ...this.#lateViolations] : this.#violations;
    if (first) throw first;
  }

  async startStep(step: Step): Promise<void> {
    this.#step = step;
    this.#requests = 0;
    const { storage, faultStep } = this.run.environment;
    if (step.id >= faultStep && !this.hasStorageFault && (storage === 'full' || storage === 'gone')) {
      this.hasStorageFault = true;
      this.log.push(`  the storage is ${storage}`);
      await Promise.all(this.tabs.map((tab) => tab.call('failStorage', storage)));
    }
  }

  /** From now on every request gets a quick reply. */
  heal(): void {
    this.#step = null;
  }

  async openTab(): Promise<Tab> {
    const page = await this.#context.newPage();
    page.on('pageerror', (error) => this.report('uncaught', error.stack ?? error.message));
    page.on('console', (message) => this.consoleTexts.push(message.text()));
    const tab = new Tab(page, ++this.#tabCount, this.model.visitor, this.#stage.siteUrl);
    await page.goto(this.#stage.siteUrl);
    await tab.call('ready');
    this.tabs.push(tab);
    return tab;
  }

  async reload(tab: Tab): Promise<void> {
    await tab.page.reload();
    await this.onLoaded(tab);
  }

  /** A page of the tab has been loaded again. */
  async onLoaded(tab: Tab): Promise<void> {
    tab.visitor = this.model.visitor;
    tab.isHidden = false;
    await tab.call('ready');
  }

  async closeTab(tab: Tab): Promise<void> {
    this.tabs.splice(this.tabs.indexOf(tab), 1);
    // Closing does not always fire `pagehide` in a controlled browser. Leaving the page does.
    await tab.page.goto('about:blank');
    await tab.page.close();
    if (this.active === tab) this.active = this.tabs[0]!;
  }

  async setOnline(isOnline: boolean): Promise<void> {
    this.isOnline = isOnline;
    await this.#context.setOffline(!isOnline);
  }

  /** Resolves when no tab does anything any more. The time stands still meanwhile. */
  async settle(): Promise<void> {
    let before = '';
    let calmRounds = 0;
    for (let round = 0; round < maxRounds; round++) {
      const pulses = await Promise.all(this.tabs.map((tab) => tab.pulse(this.time.now)));
      const calls = this.#stage.hostileServer.chatCalls.length + this.#stage.hostileServer.toolResults.length;
      const now = JSON.stringify([pulses, calls]);
      const isCalm = now === before && pulses.every(({ pending }) => pending === 0);
      calmRounds = isCalm ? calmRounds + 1 : 0;
      if (calmRounds === 2) return;
      before = now;
    }
    this.log.push(`  did not settle: ${before}`);
  }

  /** Sets the time, for the server and in all tabs. Nothing waits for what that causes. */
  async leapTo(now: number): Promise<void> {
    this.time.moveTo(now);
    await Promise.all(this.tabs.map((tab) => tab.call('setTime', now)));
  }

  /** Lets the time pass, in all tabs and for the server. Stops early when `isOver` returns true. */
  async advance(duration: number, isOver: () => Promise<boolean> = async () => false): Promise<void> {
    const end = this.time.now + duration;
    while (this.time.now < end && !(await isOver())) {
      const next = Math.min(this.time.nextAt, ...this.tabs.map(({ nextTimerAt }) => nextTimerAt));
      // Timers that are due soon after each other run together.
      const soonest = this.time.now + Math.min(duration, slice) / 2;
      this.time.moveTo(Math.min(end, Math.max(next, soonest)));
      await this.settle();
    }
  }

  /** Lets the page's function return, which may take long. */
  async awaitProof(): Promise<void> {
    if (this.run.environment.contact === 'slow function') await this.advance(20_000);
  }

  #settings(): PageSettings {
    const { hostileServer } = this.#stage;
    return {
      now: this.time.now,
      visitor: this.model.visitor,
      environment: this.run.environment,
      hasStorageFault: this.hasStorageFault,
      baseUrl: hostileServer.baseUrl,
      probeUrl: hostileServer.probeUrl,
    };
  }

  #drawBehavior(): BehaviorName {
    const replies = this.#step?.replies ?? [];
    return replies[this.#requests++ % (replies.length || 1)] ?? 'quick';
  }

  #visitorOfToken(contact: unknown): string | null {
    const { token } = (contact ?? {}) as { token?: string };
    const payload = token ? Buffer.from(token.split('.')[1] ?? '', 'base64').toString() : '';
    return /customer-([AB])/.exec(payload)?.[1] ?? null;
  }
}
