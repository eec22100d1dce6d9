/** What an archive depends on. */
import type { Clock } from '../../api/clock.ts';
import type { ChatEvent } from '../state/chat-event.ts';
import type { ConversationState } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import type { Erasure } from './erasure-intent.ts';
import type { Erasures } from './erasures.ts';
import type { GuardedStorage } from './storage.ts';
import type { TabDrafts } from './tab-drafts.ts';

export interface ArchiveOptions {
  key: string;
  storage: GuardedStorage;
  erasures: Erasures;
  drafts: TabDrafts;
  clock: Clock;
  createId: () => string;
  store: Store<ConversationState, ChatEvent>;
  /** Called when the transcript or the credentials were written. */
  onSaved(): void;
  /** Called when the record has been erased for all tabs. */
  onEnded(erasure: Erasure): void;
  /** Called when the record was erased in another tab, before anything of the next one is used. */
  onErased(): void;
  /** Called when another tab has assigned the record to a verified visitor. */
  onClaimed(owner: string): void;
}
