/** What the test and the page exchange. */
import type { Environment } from '../environments.ts';

/** A visitor who is signed in, or null for an anonymous one. */
export type SessionVisitor = string | null;

export interface PageSettings {
  readonly now: number;
  readonly visitor: SessionVisitor;
  readonly environment: Environment;
  /** Whether the step with the fault of the storage has been reached. */
  readonly hasStorageFault: boolean;
  readonly baseUrl: string;
  readonly probeUrl: string;
}

export interface Entry {
  readonly author: 'visitor' | 'assistant';
  /** The bubble and the blocks. */
  readonly text: string;
  /** The state of the message, and its buttons. */
  readonly note: string;
}

export interface Snapshot {
  readonly entries: readonly Entry[];
  readonly composer: string;
  readonly banner: string;
  readonly isBusy: boolean;
  /** Everything that is rendered, hidden attributes included, except the announcement. */
  readonly html: string;
  /** The content of the live region for screen readers. */
  readonly announcement: string;
  /** The events since the last snapshot, as JSON. */
  readonly events: readonly string[];
  readonly localStorage: string;
  readonly sessionStorage: string;
  readonly url: string;
  /** The texts that the page has sent and whose promise is pending. */
  readonly pendingSends: readonly string[];
}
