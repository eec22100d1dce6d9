/** What a conversation depends on. */
import type { ApiClient } from '../api/client.ts';
import type { Clock } from '../api/clock.ts';
import type { Connectivity } from './connectivity.ts';
import type { Erasures } from './storage/peek.ts';
import type { GuardedStorage } from './storage/storage.ts';
import type { TabDrafts } from './storage/tab-drafts.ts';
import type { TabNews, Tabs } from './tabs.ts';
import type { ClientTools } from './tools/client-tools.ts';

export interface ConversationOptions {
  /** See `recordKey`. */
  key: string;
  /** See `formerRecordKey`. */
  formerKey?: string;
  client: ApiClient;
  storage: GuardedStorage;
  erasures: Erasures;
  drafts: TabDrafts;
  openTabs: (onNews: (news: TabNews) => void) => Tabs;
  connectivity: Connectivity;
  clock: Clock;
  /** Returns a new unique id. */
  createId: () => string;
  /** Returns a number from 0 to 1, for jitter. */
  random: () => number;
  locale: () => 'en' | 'ar';
  /** The client tools that the page has registered, which may change at any time. */
  tools: ClientTools;
  /** With `off`, only plain calls are made. */
  streaming: () => 'auto' | 'off' | undefined;
  /** Asks the page whether a text may be sent. */
  confirmSend?: (text: string) => boolean;
}
