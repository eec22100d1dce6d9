/** Opens the browser's database for conversations, with one connection per page. */
import { createStore, type UseStore } from 'idb-keyval';

let shared: UseStore | undefined;

export const openStore = (): UseStore => (shared ??= createStore('workspace-chat', 'conversations'));
