/** The invariants that are checked whenever all tabs have settled. */
import { createHash } from 'node:crypto';
import { erasureCountOf, markersIn } from './model.ts';
import type { Snapshot } from './page/settings.ts';
import type { World } from './world.ts';

export interface Observation {
  readonly snapshots: readonly Snapshot[];
  /** The content of IndexedDB. */
  readonly database: string;
}

export const observe = async ({ tabs, active }: World): Promise<Observation> => {
  const [database, snapshots] = await Promise.all([
    active.call('dump'),
    Promise.all(tabs.map((tab) => tab.call('snapshot'))),
  ]);
  return { database, snapshots };
};

/** Returns the markers that the visitor can find in a tab. */
export const visibleMarkers = ({ entries, composer, pendingSends }: Snapshot): string[] => {
  const own = entries.filter(({ author }) => author === 'visitor').map(({ text }) => text);
  return markersIn([...own, composer, ...pendingSends].join('\n'));
};

/** Returns the markers that a tab stores: also those of the owner of its conversation, which it hides until the owner is proven. */
const heldMarkers = ({ sessionStorage }: Snapshot): string[] => markersIn(sessionStorage);

/** Describes what a tab showed, for the report of a violation. */
const describe = ({ entries, composer, banner, isBusy, sessionStorage, pendingSends }: Snapshot): string =>
  JSON.stringify({ entries, composer, banner, isBusy, sessionStorage, pendingSends });

/** Every text of the visitor is on a screen, or stored, or held by a tab that hides it. */
const checkTexts = (world: World, { snapshots, database }: Observation): void => {
  const found = new Set([
    ...snapshots.flatMap((snapshot) => [...visibleMarkers(snapshot), ...heldMarkers(snapshot)]),
    ...markersIn(database),
  ]);
  const lost = world.model.expectedTexts().filter(({ marker }) => !found.has(marker));
  if (lost.length > 0) {
    const markers = lost.map(({ marker }) => marker).join(', ');
    world.report(
      'text lost',
      `${markers}\n${snapshots.map(describe).join('\n')}\nDatabase: ${database.slice(0, 4_000)}`,
    );
  }
  // Checked here, because the server may process a message before the model knows of the click.
  for (const { marker, processed, sends } of world.model.texts.values()) {
    if (processed.size <= sends) continue;
    world.report('sent twice', `${marker} was posted ${processed.size} times, and sent ${sends} times`);
  }
};

/** Nothing that was erased is on a screen or stored. */
const checkErasures = (world: World, { snapshots, database }: Observation): void => {
  const { model, server } = world;
  const old = (content: string) => markersIn(content).filter((marker) => erasureCountOf(marker) < model.erasureCount);
  for (const [index, snapshot] of snapshots.entries()) {
    const name = `tab ${world.tabs[index]!.number}`;
    const onScreen = [
      ['in a transcript', snapshot.entries.map(({ text }) => text).join('\n')],
      ['in a composer', snapshot.composer],
      ['on the screen', snapshot.html],
    ] as const;
    for (const [place, content] of onScreen) {
      if (old(content).length > 0) world.report(`erased content ${place}`, `${old(content).join(', ')} in ${name}`);
    }
    const announced = old(snapshot.announcement);
    if (announced.length > 0)
      world.reportLate('erased content in the live region', `${announced.join(', ')} in ${name}`);
    const stored = old(snapshot.sessionStorage + snapshot.localStorage);
    if (stored.length > 0) world.report('erased content is stored', `${stored.join(', ')} in the storage of ${name}`);
  }
  const tokens = server.conversations.filter(
    ({ erasureCount, token }) => erasureCount < model.erasureCount && database.includes(token),
  );
  const stored = [...old(database), ...tokens.map(({ token }) => token)];
  if (stored.length > 0)
    world.report('erased content is stored', `${stored.join(', ')} in the database: ${database.slice(0, 1_000)}`);
  for (const visitor of ['A', 'B'] as const) {
    const owner = createHash('sha256').update(`customer-${visitor}`).digest('hex');
    if (visitor !== model.verifiedIn(model.erasureCount) && database.includes(owner)) {
      world.report('erased content is stored', `the hash of the id of ${visitor}, in the database`);
    }
  }
};

/** Secrets are nowhere but in requests, and the token in the stored record. */
const checkSecrets = (world: World, { snapshots, database }: Observation): void => {
  const places = [
    ...snapshots.flatMap((snapshot) => [
      ['the document', snapshot.html],
      ['an event', snapshot.events.join()],
      ['localStorage', snapshot.localStorage],
      ['sessionStorage', snapshot.sessionStorage],
      ['the URL', snapshot.url],
    ]),
    ['the console', world.consoleTexts.join()],
    ['a request’s path', world.server.paths.join()],
  ] as [string, string][];
  for (const [name, content] of places) {
    if (/tok_secret_\d/.test(content)) world.report('token leaked', `a conversation token is in ${name}`);
    if (/hash-of-|c2lnbmF0dXJl/.test(content)) world.report('proof leaked', `a proof of identity is in ${name}`);
  }
  if (/hash-of-|c2lnbmF0dXJl|customer-/.test(database)) world.report('proof leaked', 'a proof is in the database');
};

/** Checks everything that must hold whenever the tabs have settled. Throws the first violation. */
export const checkSettled = async (world: World): Promise<Observation> => {
  world.throwViolation();
  const observation = await observe(world);
  checkErasures(world, observation);
  checkTexts(world, observation);
  checkSecrets(world, observation);
  world.throwViolation();
  return observation;
};
