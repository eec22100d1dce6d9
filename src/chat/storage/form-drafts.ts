/** Persists the drafts of forms over a reload, in the tab's sessionStorage only. */
import { parseJson, toObject, toText } from '../../api/decode-values.ts';
import type { ChatEvent } from '../state/chat-event.ts';
import { liveReply, type ConversationState } from '../state/state.ts';
import type { Store } from '../state/store.ts';

const read = (name: string): string => {
  try {
    return sessionStorage.getItem(name) ?? '';
  } catch {
    // Storage is blocked, so a reload empties the forms.
    return '';
  }
};

/**
 * Restores the drafts, and persists every change from then on.
 * @returns A function that deletes the drafts of forms that are no longer open.
 */
export const restoreFormDrafts = (store: Store<ConversationState, ChatEvent>, recordKey: string): (() => void) => {
  const name = `workspace-chat-forms ${recordKey}`;

  const write = () => {
    const { messages, formDrafts, submitted, status } = store.state;
    if (status !== 'ready') return;
    const known = new Set([...messages, liveReply(store.state)].map((message) => message?.key));
    const isOpen = (key: string) => known.has(key.slice(0, key.lastIndexOf('/'))) && !(key in submitted);
    const drafts = Object.entries(formDrafts).filter(([key]) => isOpen(key));
    try {
      if (drafts.length > 0) sessionStorage.setItem(name, JSON.stringify(Object.fromEntries(drafts)));
      else sessionStorage.removeItem(name);
    } catch {
      // Storage is blocked, or full.
    }
  };

  for (const [key, value] of Object.entries(toObject(parseJson(read(name))))) {
    const draft = Object.fromEntries(Object.entries(toObject(value)).map(([field, text]) => [field, toText(text)]));
    store.dispatch({ type: 'form-drafted', key, draft });
  }
  store.subscribe((state, _event, before) => {
    if (state.formDrafts !== before.formDrafts || state.submitted !== before.submitted) write();
  });
  return write;
};
