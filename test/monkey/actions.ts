/** The actions of the visitor and of the site. An action whose precondition is not met does nothing. */
import { markersIn, type VisitorName } from './model.ts';
import { maxTabs, type ActionName, type Step } from './steps.ts';
import type { Tab } from './tab.ts';
import type { World } from './world.ts';

/** Returns what was done, or null when the precondition is not met. */
type Action = (world: World, step: Step) => Promise<string | null>;

const second = 1_000;
/** Milliseconds in which a sent message may be unsaved in IndexedDB. */
const saveDelay = 1_200;

/** Types a new text into the composer of the acting tab. */
const type: Action = async ({ model, active, time }, { dice }) => {
  const { marker } = model.createText(time.now);
  const isReplacing = dice < 0.15;
  const before = await active.call('type', `Text ${marker}`, isReplacing);
  if (before === null) return null;
  const kept = markersIn(before);
  if (isReplacing) model.recordDeletion(kept);
  // The whole draft is written again.
  else for (const each of kept) model.texts.get(each)!.touchedAt = time.now;
  return `typed ${marker}${isReplacing && before ? ` instead of “${before}”` : ''}`;
};

const send: Action = async ({ model, active, time }) => {
  const sent = await active.call('pressEnter');
  model.recordSend(markersIn(sent), time.now);
  return sent ? `sent “${sent}”` : null;
};

const typeAndSend: Action = async (world, step) => {
  const typed = await type(world, step);
  return `${typed}, ${(await send(world, step)) ?? 'and could not send it'}`;
};

/** Sends several texts one after the other, without a pause. */
const sendMany: Action = async (world, step) => {
  const count = 2 + Math.floor(step.dice * 4);
  const sent: string[] = [];
  for (let index = 0; index < count; index++) sent.push((await typeAndSend(world, step)) ?? '');
  return sent.join('; ');
};

const sendByPage: Action = async ({ model, active, time }) => {
  const { marker } = model.createText(time.now);
  model.recordSend([marker], time.now);
  await active.call('sendByPage', `Text of the page ${marker}`);
  return `element.send(${marker})`;
};

const stop: Action = async ({ active }, { dice }) =>
  (await active.call('click', 'stop', dice)) ? 'clicked Stop' : null;

const edit: Action = async ({ model, active, time }, { dice }) => {
  const clicked = await active.call('click', 'edit', dice);
  for (const marker of markersIn(clicked?.subject ?? '')) model.texts.get(marker)!.touchedAt = time.now;
  return clicked && `clicked Edit of “${clicked.subject}”`;
};

const retry: Action = async ({ model, active, time }, { dice }) => {
  const clicked =
    (await active.call('click', dice < 0.6 ? 'sendAgain' : 'askAgain', dice)) ??
    (await active.call('click', dice < 0.6 ? 'askAgain' : 'sendAgain', dice));
  if (!clicked) return null;
  model.recordSend(markersIn(clicked.subject), time.now);
  return `clicked ${clicked.label} for “${clicked.subject}”`;
};

const choose: Action = async ({ model, active, time }, { dice }) => {
  const value = await active.call('submitForm', dice);
  const clicked = value === null ? await active.call('choose', dice) : null;
  model.recordSend(markersIn(value ?? clicked?.label ?? ''), time.now);
  return value === null ? clicked && `chose “${clicked.label}”` : `submitted the form with “${value}”`;
};

const fillForm: Action = async ({ model, active, time }, { dice }) => {
  const text = model.createText(time.now);
  // The input of a form is the visitor's text once it is submitted.
  text.isOwned = false;
  return (await active.call('fillForm', text.marker, dice)) ? `typed ${text.marker} into the form` : null;
};

/** Allows the loss of what the browser does not save when a page is left. */
const prepareToLeave = async ({ model, isDurable }: World, tab: Tab): Promise<void> => {
  if (!isDurable) model.allowLoss('the browser saves nothing');
  const { pendingSends } = await tab.call('snapshot');
  const pending = markersIn(pendingSends.join());
  model.allowLoss('the promise of the page was pending', ({ marker }) => pending.includes(marker));
};

/** Closes a tab. Its drafts are lost, and also what IndexedDB had no time to take. */
const leave = async (world: World, tab: Tab): Promise<void> => {
  const { model, time, isSettled } = world;
  await prepareToLeave(world, tab);
  if (isSettled) await world.advance(saveDelay);
  else model.allowLoss('the tab was closed at once', ({ touchedAt }) => touchedAt > time.now - saveDelay);
  const { composer, sessionStorage } = await tab.call('snapshot');
  const drafts = markersIn(composer + sessionStorage);
  model.allowLoss('the tab with the draft was closed', ({ marker }) => drafts.includes(marker));
  await world.closeTab(tab);
};

const reload: Action = async (world) => {
  if (!world.isOnline) return null;
  await prepareToLeave(world, world.active);
  await world.reload(world.active);
  return 'reloaded';
};

const sendAndReload: Action = async (world, step) => {
  if (!world.isOnline) return null;
  return `${await sendMany(world, step)}; ${await reload(world, step)}`;
};

const openTab: Action = async (world) => {
  if (!world.isOnline || world.tabs.length >= maxTabs) return null;
  world.active = await world.openTab();
  return `opened tab ${world.active.number}`;
};

const closeTab: Action = async (world, { dice }) => {
  const tab = world.tabs[Math.floor(dice * world.tabs.length)]!;
  if (world.tabs.length === 1) return null;
  await leave(world, tab);
  await notifyTab(world, world.active);
  return `closed tab ${tab.number}`;
};

/** The site notices in an outdated tab who is signed in. */
export const notifyTab = async ({ model }: World, tab: Tab): Promise<void> => {
  if (tab.visitor === model.visitor) return;
  tab.visitor = model.visitor;
  await tab.call('identify', model.visitor);
};

const switchTab: Action = async (world, { dice }) => {
  const others = world.tabs.filter((tab) => tab !== world.active);
  const next = others[Math.floor(dice * others.length)];
  if (!next) return null;
  world.active = next;
  await notifyTab(world, next);
  return `switched to tab ${next.number}`;
};

const setOnline =
  (isOnline: boolean): Action =>
  async (world) => {
    if (world.isOnline === isOnline) return null;
    await world.setOnline(isOnline);
    return isOnline ? 'online' : 'offline';
  };

/** Without messages between tabs, the other ones cannot know of an erasure. */
const closeUnreachableTabs = async (world: World): Promise<void> => {
  if (world.run.environment.hasChannel) return;
  for (const tab of world.tabs.filter((each) => each !== world.active)) {
    await leave(world, tab);
  }
};

const identify =
  (visitor: VisitorName): Action =>
  async (world) => {
    const { model, active, run } = world;
    if (model.visitor !== null && model.visitor !== visitor) await closeUnreachableTabs(world);
    const isOther = model.identify(visitor);
    const notified = run.environment.otherTabs === 'notified' ? world.tabs : [active];
    for (const tab of notified) tab.visitor = visitor;
    await Promise.all(notified.map((tab) => tab.call('identify', visitor)));
    return `identified ${visitor}${isOther ? `: erasure ${model.erasureCount}` : ''}`;
  };

const logout: Action = async (world) => {
  const { model, active, tabs } = world;
  if (model.visitor) await closeUnreachableTabs(world);
  const wasVerified = model.logout();
  for (const tab of tabs) tab.visitor = null;
  await active.call('logout');
  return `logout()${wasVerified ? `: erasure ${model.erasureCount}` : ''}`;
};

const reset =
  (next: 'stay' | 'replace' | 'navigate'): Action =>
  async (world) => {
    const { model, active } = world;
    if (next === 'navigate' && !world.isOnline) return null;
    await closeUnreachableTabs(world);
    model.reset();
    if (next === 'navigate') {
      const loaded = active.page.waitForEvent('load');
      await Promise.all([loaded, active.call('reset', next, model.visitor).catch(() => {})]);
      await world.onLoaded(active);
    } else await active.call('reset', next, model.visitor);
    return `reset()${next === 'stay' ? '' : ` and ${next}`}: erasure ${model.erasureCount}`;
  };

const sleep =
  (seconds: number): Action =>
  async (world) => {
    await world.advance(seconds * second);
    return `${seconds} s passed`;
  };

const sleepDay: Action = async (world) => {
  const { model, time } = world;
  model.allowLoss('its conversation is over 24 hours old', ({ isAccepted }) => isAccepted);
  await world.leapTo(time.now + 25 * 3600 * second);
  return '25 hours passed';
};

const hideOrShow: Action = async ({ active }) => {
  active.isHidden = !active.isHidden;
  await active.call('setHidden', active.isHidden);
  return active.isHidden ? 'hid the page' : 'showed the page';
};

const leaveAndReturn: Action = async (world) => {
  const { active } = world;
  await active.call('cache', 'pagehide');
  await world.settle();
  await active.call('cache', 'pageshow');
  return 'left the page, and returned from the back/forward cache';
};

/** A framework of the page renders the element again, with a new value of the same contact. */
const renderAgain: Action = async ({ active }) => {
  await active.call('renderAgain', active.visitor);
  return 'set the contact again';
};

/** The page goes to another route and back. */
const replaceElement: Action = async (world) => {
  const { active } = world;
  await prepareToLeave(world, active);
  await active.call('replace', active.visitor);
  await active.call('ready');
  return 'replaced the element';
};

const moveElement: Action = async ({ active }) => {
  await active.call('move');
  return 'moved the element';
};

const clearLocalStorage: Action = async ({ active }) => {
  await active.call('clearLocalStorage');
  return 'the page cleared localStorage';
};

const actions: Record<ActionName, Action> = {
  type,
  typeAndSend,
  send,
  sendMany,
  sendAndReload,
  sendByPage,
  stop,
  edit,
  retry,
  choose,
  fillForm,
  reload,
  openTab,
  closeTab,
  switchTab,
  goOffline: setOnline(false),
  goOnline: setOnline(true),
  identifyA: identify('A'),
  identifyB: identify('B'),
  logout,
  reset: reset('stay'),
  resetAndReplace: reset('replace'),
  resetAndNavigate: reset('navigate'),
  sleepSecond: sleep(1),
  sleepTenSeconds: sleep(10),
  sleepMinute: sleep(60),
  sleepDay,
  hideOrShow,
  leaveAndReturn,
  renderAgain,
  replaceElement,
  moveElement,
  clearLocalStorage,
};

export const act = (world: World, step: Step): Promise<string | null> => actions[step.action](world, step);
