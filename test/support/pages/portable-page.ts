/** The page of a fault test in any browser engine: the visitor's actions, and assertions on what is rendered, stored and sent. */
import { expect } from '@playwright/test';
import type { StoredRecord } from '../../../src/chat/storage/record.ts';
import type { HostileServer } from '../servers/hostile-server.ts';
import { poll } from '../poll.ts';
import { transcriptOf } from './transcript-of.ts';

/** Reads the stored record. The browser's own database is used, since a fault may have replaced it. */
const readRecord = () =>
  new Promise<StoredRecord | null>((resolve, reject) => {
    const { own } = window as unknown as { own: { factory: IDBFactory; open: IDBFactory['open'] } };
    const request = own.open.call(own.factory, 'workspace-chat');
    request.onerror = () => reject(request.error!);
    request.onupgradeneeded = () => request.transaction!.abort();
    request.onsuccess = () => {
      if (!request.result.objectStoreNames.contains('conversations')) return resolve(null);
      const all = request.result.transaction('conversations').objectStore('conversations').getAll();
      all.onsuccess = () => resolve((all.result[0] as StoredRecord | undefined) ?? null);
      request.result.close();
    };
  });

export abstract class PortablePage {
  readonly url: string;
  protected readonly server: HostileServer;

  constructor(url: string, server: HostileServer) {
    this.url = url;
    this.server = server;
  }

  /** Evaluates an expression or a function in the page. Promises are awaited. */
  abstract evaluate<Result>(script: string | (() => Result | Promise<Result>)): Promise<Result>;
  abstract evaluate<Result, Argument>(
    script: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result>;

  /** Runs a script in this page and its other tabs, before any other one, each time that they are loaded. */
  abstract addInitScript(script: string): Promise<void>;

  abstract goto(url: string): Promise<void>;

  abstract reload(): Promise<void>;

  /** Opens another tab of the same browser. */
  abstract openTab(): Promise<PortablePage>;

  /** Replaces the text of the composer. */
  abstract fill(text: string): Promise<void>;

  abstract pressEnter(): Promise<void>;

  /** Clicks the button with this name. */
  abstract click(name: string): Promise<void>;

  /** Returns the console errors and uncaught exceptions that do not match `allowed`. */
  abstract consoleErrors(allowed?: RegExp): string[] | Promise<string[]>;

  abstract close(): Promise<void>;

  async send(text: string): Promise<void> {
    await this.fill(text);
    await this.pressEnter();
  }

  /** Waits until an expression is true. It may be evaluated while the page is being replaced. */
  async waitFor(expression: string): Promise<void> {
    await poll(() => this.evaluate<boolean>(`Boolean(${expression})`).catch(() => false), expression).toBe(true);
  }

  async waitUntilReady(): Promise<void> {
    await this.waitFor(`document.querySelector('workspace-chat')?.shadowRoot?.querySelector('textarea')`);
  }

  /** Waits until no turn is in progress. */
  async waitUntilIdle(): Promise<void> {
    await this.waitFor(`document.querySelector('workspace-chat')?.busy === false`);
  }

  /** Waits until `act` has replaced the document by a new one, in which the widget is ready. */
  async waitForReload(act: () => Promise<unknown>): Promise<void> {
    await this.evaluate('window.isOld = true');
    await act();
    await this.waitFor(`!window.isOld && document.readyState === 'complete'`);
    await this.waitUntilReady();
  }

  /** Returns the texts of the elements of the widget that match a selector. */
  async texts(selector: string): Promise<string[]> {
    return this.evaluate((wanted: string) => {
      const root = document.querySelector('workspace-chat')?.shadowRoot;
      // The page may have replaced Array.from.
      return [...(root?.querySelectorAll(wanted) ?? [])].map(({ textContent }) => textContent.trim());
    }, selector);
  }

  /** Waits until `count` replies have a text, at least. */
  async waitForReplies(count: number): Promise<void> {
    await poll(async () => (await this.texts('.agent .text')).filter(Boolean).length, 'the replies') //
      .toBeGreaterThanOrEqual(count);
  }

  /** Waits until there is a button with this name. */
  async waitForButton(name: string): Promise<void> {
    const names = () =>
      this.evaluate(() => {
        const buttons = document.querySelector('workspace-chat')?.shadowRoot?.querySelectorAll('button') ?? [];
        return [...buttons].map((button) => button.ariaLabel ?? button.textContent.trim());
      });
    await poll(names, 'the buttons').toContain(name);
  }

  /** Waits until the composer contains exactly this text. */
  async expectInput(text: string): Promise<void> {
    const read = `document.querySelector('workspace-chat')?.shadowRoot?.querySelector('textarea')?.value`;
    await poll(() => this.evaluate(read), 'the text of the composer').toBe(text);
  }

  /** Returns the rendered transcript, one line for each entry: the author, the text, the state and the buttons. */
  async transcript(): Promise<string[]> {
    return this.evaluate(`(${transcriptOf.toString()})(document.querySelector('workspace-chat'))`);
  }

  /** Waits until the transcript consists of exactly these lines. */
  async expectTranscript(...expected: string[]): Promise<void> {
    await poll(() => this.transcript(), 'the transcript').toEqual(expected);
  }

  /** Waits until the banner above the composer shows `expected`, or is removed for null. */
  async expectBanner(expected: string | null): Promise<void> {
    await poll(() => this.texts('.banner'), 'the banner').toEqual(expected === null ? [] : [expected]);
  }

  /** Waits until a banner is shown whose text contains `part`. */
  async waitForBanner(part = ''): Promise<void> {
    await poll(() => this.texts('.banner'), 'the banner').toEqual([expect.stringContaining(part)]);
  }

  /** Waits until exactly `count` chat calls have arrived. A later request of the page proves that no other call is in flight. */
  async expectChatCalls(count: number): Promise<void> {
    const { chatCalls } = this.server;
    await poll(() => chatCalls.length, 'the chat calls').toBe(count);
    await this.waitForProbe();
    expect(chatCalls, 'the chat calls after a later request').toHaveLength(count);
  }

  /** Sends a request from the page, and waits until it has a response, or has failed because the page is offline. */
  async waitForProbe(): Promise<void> {
    await this.evaluate((url: string) => fetch(url).then(Boolean, () => false), this.server.probeUrl);
  }

  /** Returns the stored record, or null when there is none. */
  async record(): Promise<StoredRecord | null> {
    return this.evaluate(readRecord);
  }

  /** Returns the stored messages, one line each, and a last line that says whether the credentials are stored. */
  async stored(): Promise<string[] | null> {
    const record = await this.record().catch(() => null);
    if (!record) return null;
    if (!('startedAt' in record)) return ['erased'];
    return [
      ...record.messages.map((message) => {
        if (message.role === 'user') return `visitor ${message.delivery}: ${message.text}`;
        return message.role === 'notice'
          ? `notice ${message.code}`
          : `${message.actor} ${message.ending}: ${message.text}`;
      }),
      record.conversationToken ? `credentials ${record.conversationId}` : 'no credentials',
    ];
  }

  async expectStored(...expected: string[]): Promise<void> {
    await poll(() => this.stored(), 'the stored record').toEqual(expected);
  }

  async expectNothingStored(): Promise<void> {
    await poll(() => this.stored(), 'the stored record').toBeNull();
  }

  /** Waits until the record is erased, so that only the mark of the erasure is left. */
  async expectErased(): Promise<void> {
    await poll(() => this.stored(), 'the stored record').toEqual(['erased']);
  }

  /** Returns the events that the element has dispatched. */
  async events(): Promise<string[]> {
    return this.evaluate('window.events');
  }
}
