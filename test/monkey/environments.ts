/** The environments of the runs: what the browser and the site provide to the widget. */
import { pickWeighted } from './random.ts';

export interface Environment {
  /**
   * - `full`: the quota is exceeded from step `faultStep` on;
   * - `blocked`: opening the database throws;
   * - `slow`: every transaction waits for another one;
   * - `gone`: the browser closes the connection at step `faultStep`, once for each page;
   * - `memory`: the site has chosen `storage="memory"`.
   */
  readonly storage: 'durable' | 'full' | 'blocked' | 'slow' | 'gone' | 'memory';
  readonly faultStep: number;
  readonly hasChannel: boolean;
  readonly hasLocks: boolean;
  readonly streaming: 'auto' | 'off';
  readonly locale: 'en' | 'ar';
  /** The form of the proofs of identity. */
  readonly contact: 'hash' | 'token' | 'function' | 'slow function';
  /** Whether the site notifies all open tabs of a sign-in, or each tab only when the visitor returns to it. */
  readonly otherTabs: 'notified' | 'outdated';
}

export const drawEnvironment = (random: () => number, stepCount: number): Environment => ({
  storage: pickWeighted(random, { durable: 50, full: 14, slow: 10, gone: 10, blocked: 8, memory: 8 }),
  faultStep: 1 + Math.floor(random() * stepCount),
  hasChannel: random() > 0.1,
  hasLocks: random() > 0.1,
  streaming: pickWeighted(random, { auto: 70, off: 30 }),
  locale: pickWeighted(random, { en: 75, ar: 25 }),
  contact: pickWeighted(random, { hash: 30, token: 10, function: 30, 'slow function': 30 }),
  otherTabs: pickWeighted(random, { notified: 75, outdated: 25 }),
});

export const describeEnvironment = (environment: Environment): string => {
  const { storage, faultStep, hasChannel, hasLocks, streaming, locale, contact, otherTabs } = environment;
  const hasFaultStep = storage === 'full' || storage === 'gone';
  return [
    `storage ${storage}${hasFaultStep ? ` from step ${faultStep} on` : ''}`,
    hasChannel ? '' : 'no BroadcastChannel',
    hasLocks ? '' : 'no Web Locks',
    `streaming ${streaming}`,
    `locale ${locale}`,
    `contact by ${contact}`,
    `other tabs ${otherTabs}`,
  ]
    .filter(Boolean)
    .join(', ');
};
