/** The end of a run: the world heals, and the invariants that need a healthy world are checked. */
import { notifyTab } from './actions.ts';
import { checkSettled, visibleMarkers, type Observation } from './invariants.ts';
import { markersIn, replyMarker } from './model.ts';
import type { Entry, Snapshot } from './page/settings.ts';
import type { World } from './world.ts';

/** Longer than all waits of the widget together. */
const longest = 25 * 60_000;
const draftDelay = 1_200;

/** The messages about texts that the widget must still show, one line each. */
const transcriptOf = ({ model }: World, { entries }: Snapshot): string[] => {
  const expected = model.expectedTexts().map(({ marker }) => marker);
  // A reply with options contains the texts that it offers, too.
  const isExpected = ({ author, text }: Entry) =>
    expected.some((marker) => text.includes(author === 'visitor' ? marker : replyMarker(marker)));
  return entries.filter(isExpected).map(({ author, text }) => `${author}: ${text}`);
};

const isIdle = async ({ tabs }: World): Promise<boolean> =>
  (await Promise.all(tabs.map((tab) => tab.call('isIdle')))).every(Boolean);

/** Makes the server and the network healthy, and lets everything end that is in progress. */
const heal = async (world: World): Promise<void> => {
  world.heal();
  if (!world.isOnline) await world.setOnline(true);
  for (const tab of world.tabs) {
    if (tab.isHidden) await tab.call('setHidden', false);
    await notifyTab(world, tab);
  }
  await world.settle();
  await world.advance(longest, () => isIdle(world));
  await world.awaitProof();
  await world.advance(longest, () => isIdle(world));
  await world.advance(draftDelay);
  await world.settle();
};

/** A new message gets its reply in the acting tab. */
const checkReply = async (world: World): Promise<void> => {
  const { model, active, time } = world;
  const { marker } = model.createText(time.now);
  await active.call('type', `Last text ${marker}`, false);
  const sent = await active.call('pressEnter');
  model.recordSend(markersIn(sent), time.now);
  world.log.push(`  at the end, sent “${sent}”`);
  const hasReply = async () => {
    const { entries } = await active.call('snapshot');
    return entries.some(({ author, text }) => author === 'assistant' && text.includes(replyMarker(marker)));
  };
  await world.settle();
  await world.advance(longest, hasReply);
  if (!(await hasReply())) {
    const { banner, entries, isBusy } = await active.call('snapshot');
    const shown = entries.map(({ author, text }) => `${author}: ${text}`).join(' | ');
    world.report('no reply at the end', `${marker}: ${isBusy ? 'busy' : 'idle'}, ${banner || 'no banner'}, ${shown}`);
  }
  await world.advance(draftDelay);
  await world.awaitProof();
  await world.settle();
};

const checkSame = (world: World, invariant: string, one: string[], other: string[]): void => {
  if (JSON.stringify(one) === JSON.stringify(other)) return;
  world.report(invariant, `\n  ${one.join('\n  ')}\nand\n  ${other.join('\n  ')}`);
};

/** All tabs show the same transcript. */
const checkTabs = (world: World, { snapshots }: Observation): void => {
  if (!world.isDurable || !world.run.environment.hasChannel) return;
  const [first, ...others] = snapshots.map((snapshot) => transcriptOf(world, snapshot));
  for (const other of others) checkSame(world, 'tabs differ', first!, other);
};

/** A reload restores the transcript, and every text is on a screen. */
const checkReload = async (world: World): Promise<void> => {
  const { model, active, tabs } = world;
  if (!world.isDurable) return;
  const before = await active.call('snapshot');
  await world.reload(active);
  await world.settle();
  await world.awaitProof();
  const after = await active.call('snapshot');
  checkSame(world, 'reload changes the transcript', transcriptOf(world, before), transcriptOf(world, after));
  const found = new Set((await Promise.all(tabs.map((tab) => tab.call('snapshot')))).flatMap(visibleMarkers));
  const lost = model.expectedTexts().filter(({ marker }) => !found.has(marker));
  if (lost.length > 0) world.report('text lost', `${lost.map(({ marker }) => marker).join(', ')} after a reload`);
};

export const checkEnding = async (world: World): Promise<void> => {
  await heal(world);
  await checkSettled(world);
  await checkReply(world);
  checkTabs(world, await checkSettled(world));
  world.throwViolation();
  await checkReload(world);
  await checkSettled(world);
  world.throwViolation({ isOver: true });
};
