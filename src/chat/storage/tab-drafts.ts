/**
 * Persists what the visitor is typing in this tab, in `sessionStorage` only: the composer, the forms, and messages until the
 * record has them. So a text leaves one place only when the next one holds it. Each owner has drafts of their own.
 * A storage that takes long may hold a message as not sent that is being sent: that is written here, too.
 */
import { isObject, parseJson, toObject, toText, toTextRecord, toTexts } from '../../api/decode-values.ts';
import { toJson } from '../../api/encoding.ts';
import { isUndelivered, joinDrafts } from '../state/messages.ts';
import { attempt } from './tab-flag.ts';
import {
  liveReply,
  type ChatMessage,
  type ConversationState,
  type FormDraft,
  type VisitorMessage,
} from '../state/state.ts';

/** Where one chat of a tab saves its drafts. */
export interface TabDrafts {
  read(): unknown;
  /** Replaces the saved value. Null removes it. Returns false where the storage is blocked, or full. */
  write(value: SavedDrafts | null): boolean;
  /** Removes the saved value, and those that closed chats of the same record have left. */
  clear(): void;
  /** Leaves the saved value to the next chat. */
  close(): void;
}

export interface Drafts {
  readonly text: string;
  /** The texts of the visitor's messages that the record lacks, by message key. */
  readonly unsaved: Readonly<Record<string, string>>;
  /** The keys of the messages that may have arrived, while the record may have them as not sent. */
  readonly begun: readonly string[];
  readonly forms: Readonly<Record<string, FormDraft>>;
}

/** The drafts by owner (see `StoredRecord.owner`), under an empty key for an anonymous visitor. */
type DraftsByOwner = Readonly<Record<string, Drafts>>;

export interface SavedDrafts {
  readonly erasureCount: number;
  readonly byOwner: DraftsByOwner;
}

export const emptyDrafts: Drafts = { text: '', unsaved: {}, begun: [], forms: {} };

/** With `storage="memory"` no text is written anywhere. */
export const noDrafts: TabDrafts = { read: () => null, write: () => false, clear: () => {}, close: () => {} };

/** The items of the chats that are open in this page. */
const openItems = new Set<string>();

/**
 * Opens the drafts of a record. A second chat of the same record in the page has drafts of its own. When it is closed, they belong to
 * the next chat that has none. Where the storage is blocked, a reload loses what was typed.
 */
export const openBrowserDrafts = (key: string): TabDrafts => {
  const name = `workspace-chat-drafts ${key}`;
  const isLeft = (item: string) => item.replace(/\++$/, '') === name && !openItems.has(item);
  const left = () => attempt(() => Object.keys(sessionStorage).filter(isLeft)) ?? [];
  let [item = name] = left().toSorted();
  while (openItems.has(item)) item += '+';
  openItems.add(item);
  return {
    read: () => attempt(() => parseJson(sessionStorage.getItem(item) ?? 'null')),
    write(value) {
      const write = () => (value ? sessionStorage.setItem(item, toJson(value)) : sessionStorage.removeItem(item));
      return attempt(() => (write(), true)) ?? false;
    },
    clear: () => [item, ...left()].forEach((each) => attempt(() => sessionStorage.removeItem(each))),
    close: () => void openItems.delete(item),
  };
};

const decodeDrafts = (value: unknown): Drafts => {
  const { text, unsaved, begun, forms } = toObject(value);
  const formDrafts = Object.entries(toObject(forms)).map(([key, form]) => [key, toTextRecord(form)]);
  return {
    text: toText(text),
    unsaved: toTextRecord(unsaved),
    begun: toTexts(begun),
    forms: Object.fromEntries(formDrafts),
  };
};

/** Decodes a saved value. Returns null when there is none. */
const decodeSavedDrafts = (value: unknown): SavedDrafts | null => {
  if (!isObject(value)) return null;
  const byOwner = Object.entries(toObject(value['byOwner'])).map(([owner, drafts]) => [owner, decodeDrafts(drafts)]);
  return { erasureCount: Number(value['erasureCount']) || 0, byOwner: Object.fromEntries(byOwner) };
};

/** Returns the drafts of the forms that are shown and not submitted. */
const openForms = (state: ConversationState): Record<string, FormDraft> => {
  const { messages, formDrafts, submitted } = state;
  const shown = new Set([...messages, liveReply(state)].map((message) => message?.key));
  const isOpen = (key: string) => shown.has(key.slice(0, key.lastIndexOf('/'))) && !(key in submitted);
  return Object.fromEntries(Object.entries(formDrafts).filter(([key]) => isOpen(key)));
};

/** Whether a change of the state may change the drafts. */
export const changesDrafts = (state: ConversationState, previous: ConversationState): boolean =>
  (['draft', 'formDrafts', 'submitted', 'messages', 'queued'] as const).some(
    (field) => state[field] !== previous[field],
  );

const isUnsent = (message: ChatMessage): message is VisitorMessage =>
  message.role === 'user' && message.delivery === 'unsent';

/** Returns the messages of a record, of which this tab (`tab`) has begun to send some. */
export const markBegun = (messages: readonly ChatMessage[], begun: readonly string[], tab: string): ChatMessage[] =>
  messages.map((message) =>
    isUnsent(message) && begun.includes(message.key) ? { ...message, delivery: 'unconfirmed', tab } : message,
  );

/** Returns the drafts of a state. `stored` are the messages of the record. */
export const draftsOf = (state: ConversationState, stored: readonly ChatMessage[]): Drafts => {
  const byKey = new Map(stored.map((message) => [message.key, message]));
  const own = [...state.messages, ...state.queued].filter((message) => message.role === 'user');
  const unsaved = own.flatMap((message) =>
    isUndelivered(message) && !byKey.has(message.key) ? [[message.key, message.label ?? message.text]] : [],
  );
  const begun = own.flatMap(({ key, delivery }) => {
    const before = byKey.get(key);
    return delivery === 'unsent' || (before && !isUnsent(before)) ? [] : [key];
  });
  return {
    text: state.draft,
    unsaved: Object.fromEntries(unsaved),
    begun,
    forms: openForms(state),
  };
};

/**
 * Returns the drafts of a tab, each with its owner. What is typed beside a locked conversation is kept apart from its owner's.
 * @param held The conversation that is locked, or else `state`.
 */
export const ownedDrafts = (
  state: ConversationState,
  held: ConversationState,
  stored: readonly ChatMessage[],
  { owner, typist }: Record<'owner' | 'typist', string | null>,
): (readonly [owner: string | null, drafts: Drafts])[] => [
  ...(held === state ? [] : [[owner, draftsOf(held, stored)] as const]),
  state.status === 'locked' ? [typist, draftsOf(state, [])] : [owner, draftsOf(state, stored)],
];

const mergeDrafts = (first: Drafts | undefined, second: Drafts): Drafts => ({
  text: joinDrafts(first?.text ?? '', second.text),
  unsaved: { ...first?.unsaved, ...second.unsaved },
  begun: [...(first?.begun ?? []), ...second.begun],
  forms: { ...first?.forms, ...second.forms },
});

const mergeByOwner = (byOwner: DraftsByOwner, owner: string | null, drafts: Drafts): DraftsByOwner => ({
  ...byOwner,
  [owner ?? '']: mergeDrafts(byOwner[owner ?? ''], drafts),
});

const hasDrafts = ({ text, unsaved, begun, forms }: Drafts): boolean =>
  text !== '' || begun.length > 0 || Object.keys({ ...unsaved, ...forms }).length > 0;

/** Returns the text for the composer: the messages that the record lacks, followed by the draft. */
export const composerText = (
  { text, unsaved }: Pick<Drafts, 'text' | 'unsaved'>,
  messages: readonly ChatMessage[],
): string => {
  const lost = { ...unsaved };
  for (const { key } of messages) delete lost[key];
  return joinDrafts(...Object.values(lost), text);
};

/**
 * Returns what an owner sees of drafts that another page of the tab has saved.
 * @param before The text of this page when they were read. What was typed since stays behind theirs.
 */
export const shownDrafts = (
  { byOwner }: SavedDrafts,
  owner: string | null,
  { draft, messages, queued }: ConversationState,
  before: string,
) => {
  const { forms: formDrafts, ...texts } = byOwner[owner ?? ''] ?? emptyDrafts;
  const text = composerText(texts, [...messages, ...queued]);
  const typed = draft.startsWith(before) ? draft.slice(before.length) : draft;
  return { draft: text === before ? draft : joinDrafts(text, typed), formDrafts };
};

/** Returns the text that was typed or sent since an earlier state. */
export const typedSince = (state: ConversationState, before: ConversationState): string => {
  const { text, unsaved } = draftsOf(state, []);
  const isContinued = text.startsWith(before.draft);
  return composerText({ text: isContinued ? text.slice(before.draft.length) : '', unsaved }, [
    ...before.messages,
    ...before.queued,
  ]);
};

/** The drafts of a tab: those of now, and those of its earlier page that are not shown yet. */
export class DraftBox {
  readonly #drafts: TabDrafts;
  /** The number with which the earlier page has saved its drafts. */
  savedCount: number;
  #earlier: DraftsByOwner;
  #hasSaved: boolean;
  #isClosed = false;

  constructor(drafts: TabDrafts, erasureCount: number) {
    this.#drafts = drafts;
    const saved = decodeSavedDrafts(drafts.read());
    this.#hasSaved = saved !== null;
    this.#earlier = saved?.byOwner ?? {};
    this.savedCount = saved?.erasureCount ?? erasureCount;
    this.discard(erasureCount);
  }

  /** Removes the drafts of the earlier page if they were erased. */
  discard(erasureCount: number): void {
    if (this.savedCount < erasureCount) this.clear();
  }

  /**
   * Reads what the tab's other pages have saved since. Returns null where nothing could be saved.
   * @param owner Whose drafts this page shows itself. Those of others wait for them.
   */
  reread(erasureCount: number, owner: string | null): SavedDrafts | null {
    const saved = decodeSavedDrafts(this.#drafts.read()) ?? (this.#hasSaved ? { erasureCount, byOwner: {} } : null);
    if (saved?.erasureCount !== erasureCount) return saved;
    this.#earlier = saved.byOwner;
    this.restore(owner);
    return saved;
  }

  /** Whether the earlier page has left drafts that are shown only to their owner. */
  get hasOwned(): boolean {
    return Object.keys(this.#earlier).some((owner) => owner !== '');
  }

  /** Returns the drafts of the earlier page that belong to an owner. From now on they belong to this page. */
  restore(owner: string | null): Drafts {
    const { [owner ?? '']: taken = emptyDrafts, ...others } = this.#earlier;
    this.#earlier = others;
    return taken;
  }

  /** Adds drafts that are not shown, until their owner is here. */
  add(owner: string | null, drafts: Drafts): void {
    this.#earlier = mergeByOwner(this.#earlier, owner, drafts);
  }

  /** Assigns the drafts of the earlier page that belong to nobody to an owner. */
  claim(owner: string): void {
    this.add(owner, this.restore(null));
  }

  /** Writes the drafts of now synchronously, with those that are not shown yet. */
  save(erasureCount: number, current: readonly (readonly [owner: string | null, drafts: Drafts])[]): void {
    const byOwner = current.reduce((all, [owner, drafts]) => mergeByOwner(all, owner, drafts), this.#earlier);
    const isEmpty = !Object.values(byOwner).some(hasDrafts);
    if (this.#isClosed || (isEmpty && !this.#hasSaved)) return;
    const isWritten = this.#drafts.write(isEmpty ? null : { erasureCount, byOwner });
    this.#hasSaved = !isEmpty && (isWritten || this.#hasSaved);
  }

  /** Removes the drafts, but those of `kept` that are not shown yet. */
  clear(kept?: string): void {
    this.#earlier = Object.fromEntries(Object.entries(this.#earlier).filter(([owner]) => owner === kept));
    this.savedCount = 0;
    this.#hasSaved = false;
    if (!this.#isClosed) this.#drafts.clear();
  }

  /** From now on the saved drafts belong to the next chat of this record. */
  close(): void {
    this.#isClosed = true;
    this.#drafts.close();
  }
}
