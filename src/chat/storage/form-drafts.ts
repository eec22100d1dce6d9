/** Keeps what is typed into forms over a reload: in the session storage of the tab, and nowhere else. */
import { parseJson, toObject, toText } from '../../api/decode-values.ts';
import type { ChatEvent } from '../state/chat-event.ts';
import { liveAnswer, type ConversationState } from '../state/state.ts';
import type { Store } from '../state/store.ts';

const read = (name: string): string => {
  try {
    return sessionStorage.getItem(name) ?? '';
  } catch {
    // Storage is blocked: a reload empties the forms.
    return '';
  }
};

/** Gives the drafts back, and follows what is typed from then on. @returns Forgets the drafts of forms that are gone. */
export const keepFormDrafts = (store: Store<ConversationState, ChatEvent>, recordKey: string): (() => void) => {
  const name = `workspace-chat-forms ${recordKey}`;

  const write = () => {
    const { messages, formDrafts, submitted, status } = store.state;
    if (status !== 'ready') return;
    const known = new Set([...messages, liveAnswer(store.state)].map((message) => message?.key));
    const isOpen = (key: string) => known.has(key.slice(0, key.lastIndexOf('/'))) && !(key in submitted);
    const drafts = Object.entries(formDrafts).filter(([key]) => isOpen(key));
    try {
      if (drafts.length > 0) sessionStorage.setItem(name, JSON.stringify(Object.fromEntries(drafts)));
      else sessionStorage.removeItem(name);
    } catch {
      // As above.
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
