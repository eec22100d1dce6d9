/** Keeps what the visitor is typing in this tab over a reload: the draft and the forms, in sessionStorage only. */
import { parseJson, toObject, toText, toTextOrNull, toTextRecord } from '../../api/decode-values.ts';
import { toJson } from '../../api/encoding.ts';
import { conversationLifetimeMs } from '../../../contract/limits.ts';
import type { SavedDrafts } from './drafts.ts';
import { draftsToSave } from './drafts-to-save.ts';

export interface TabDrafts {
  /** Returns the drafts that belong to the epoch, or null. */
  read(key: string, epoch: string | null): SavedDrafts | null;
  /** Replaces the drafts, unless there is nothing to save now. See `draftsToSave`. */
  save(key: string, ...drafts: Parameters<typeof draftsToSave>): void;
  remove(key: string): void;
}

const nameOf = (key: string) => `workspace-chat-drafts ${key}`;

/** With `storage="memory"` no text is written anywhere. */
export const noDrafts: TabDrafts = { read: () => null, save: () => {}, remove: () => {} };

const write = (key: string, drafts: string | null): void => {
  try {
    if (drafts === null) sessionStorage.removeItem(nameOf(key));
    else sessionStorage.setItem(nameOf(key), drafts);
  } catch {
    // Storage is blocked, or full.
  }
};

export const browserDrafts = (now: () => number): TabDrafts => ({
  read(key, epoch) {
    try {
      const saved = toObject(parseJson(sessionStorage.getItem(nameOf(key)) ?? 'null'));
      const savedEpoch = toTextOrNull(saved['epoch']);
      // A tombstone lasts for a conversation's lifetime. Without one, nothing was erased since a younger draft was saved.
      const isRecent = epoch === null && now() - Number(saved['at']) < conversationLifetimeMs;
      if (savedEpoch !== epoch && !isRecent) return null;
      const forms = Object.entries(toObject(saved['forms'])).map(([form, value]) => [form, toTextRecord(value)]);
      return {
        epoch,
        owner: toTextOrNull(saved['owner']),
        draft: toText(saved['draft']),
        unsaved: toTextRecord(saved['unsaved']),
        newestAt: Number(saved['newestAt']) || 0,
        forms: Object.fromEntries(forms),
      };
    } catch {
      // Storage is blocked, so a reload loses what was typed in the last second.
      return null;
    }
  },
  save(key, ...given) {
    const drafts = draftsToSave(...given);
    if (!drafts) return;
    const isEmpty = !drafts.draft && Object.keys({ ...drafts.unsaved, ...drafts.forms }).length === 0;
    write(key, isEmpty ? null : toJson({ ...drafts, at: now() }));
  },
  remove: (key) => write(key, null),
});
