/** The languages that the elements of the page have registered, for the doctor. */
import type { LocaleDefinition } from '../locale/locale-definition.ts';
import type { ViewHost } from './view-state.ts';

type LocaleHost = Pick<ViewHost, 'locale'>;

const hosts = new Set<WeakRef<LocaleHost>>();

/** Notes an element whose languages the doctor examines. */
export const noteLocales = (host: LocaleHost): void => {
  hosts.add(new WeakRef(host));
};

/** Returns the registered languages by tag. */
export const registeredLocales = (): Map<string, LocaleDefinition> =>
  new Map([...hosts].flatMap((host) => [...(host.deref()?.locale.registry.entries ?? [])]));
