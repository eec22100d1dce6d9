/** The browser's database for conversations: one connection a page. */
import { createStore, type UseStore } from 'idb-keyval';

let shared: UseStore | undefined;

export const openStore = (): UseStore => (shared ??= createStore('workspace-chat', 'conversations'));
