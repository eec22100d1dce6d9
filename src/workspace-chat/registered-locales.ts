/** The languages that the elements of the page have registered, for the doctor. */
import type { LocaleDefinition } from '../locale/locale-definition.ts';
import type { ViewHost } from './view-state.ts';

const noted = new WeakSet<ViewHost>();
const hosts: WeakRef<ViewHost>[] = [];

/** Notes an element whose languages the doctor examines. */
export const noteLocales = (host: ViewHost): void => {
  if (noted.has(host)) return;
  noted.add(host);
  hosts.push(new WeakRef(host));
};

/** Returns the registered languages by tag. */
export const registeredLocales = (): Map<string, LocaleDefinition> =>
  new Map(hosts.flatMap((host) => [...(host.deref()?.locale.registry.entries ?? [])]));
