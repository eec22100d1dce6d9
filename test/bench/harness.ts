/** A script in the head of every measured page. It records when content is painted, and how long tasks block the page. */
import type { Peer } from './peers.ts';

export interface Opening {
  /** When the launcher was painted, or else the field. */
  visible: number;
  /** When the field was painted. */
  usable: number;
  /** The milliseconds between the click and the painted field. */
  opened: number;
  visibleBytes: number;
  usableBytes: number;
}

/** The interface of `window.bench`. Times are milliseconds since the start of the navigation, unless stated otherwise. */
export interface Harness {
  opening: Promise<Opening>;
  /** Clicks the launcher of a page whose URL ends with `?later`. Otherwise it is clicked as soon as it is visible. */
  click(): void;
  /** The elements of the document, with those in shadow trees. */
  countElements(): number;
  /** The compressed bytes of scripts and styles so far. */
  bytes(): number;
  /** The wall-clock time at which a text is painted. Call it before the text can appear. */
  appears(text: string): Promise<number>;
  /** The milliseconds until a text of the initial page is painted. */
  isThere(text: string): Promise<number>;
  /** Removes the messages of this widget, and keeps their HTML. */
  takeMessages(): void;
  /** Inserts them as plain elements: a page of the transcript in each frame, the newest first. */
  insertMessages(): Promise<void>;
  /** The long tasks since the last call: their time above 50 ms, their total time, and the longest one. */
  blocking(): { total: number; longest: number };
  /** Starts counting frames. Returns a function that stops and returns the share of missed frames. */
  countFrames(): () => number;
}

// The functions below run in the page, so they cannot use anything from this module.

/** Starts observing long tasks. Returns the `blocking` of the harness. */
const watchLongTasks = (): Harness['blocking'] => {
  let tasks: number[] = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: 'longtask', buffered: true });
  return () => {
    tasks.push(...observer.takeRecords().map(({ duration }) => duration));
    const longest = Math.max(0, ...tasks);
    const total = tasks.reduce((sum, duration) => sum + duration - 50, 0);
    tasks = [];
    return { total, longest };
  };
};

const countFrames: Harness['countFrames'] = () => {
  const times: number[] = [];
  let isOver = false;
  const next = (time: number) => {
    times.push(time);
    if (!isOver) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  return () => {
    isOver = true;
    const missed = times.slice(1).reduce((sum, time, i) => sum + Math.round(((time - times[i]!) * 60) / 1000) - 1, 0);
    return missed / (missed + times.length);
  };
};

const countElements = (): number => {
  const count = (root: Document | ShadowRoot): number =>
    [...root.querySelectorAll('*')].reduce((sum, { shadowRoot }) => sum + 1 + (shadowRoot ? count(shadowRoot) : 0), 0);
  return count(document);
};

const bytes = (): number =>
  (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
    .filter(({ name }) => /\/(?:own|npm|node_modules)\//.test(name))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);

/** Resolves when `text` is added below `root`. */
const whenAdded = (root: Node, text: string): Promise<void> =>
  new Promise((resolve) => {
    const isIn = ({ target, addedNodes }: MutationRecord) =>
      [target.nodeType === Node.TEXT_NODE ? target : null, ...addedNodes].some((node) =>
        node?.textContent?.includes(text),
      );
    const mutations = new MutationObserver((records) => {
      if (!records.some(isIn)) return;
      mutations.disconnect();
      resolve();
    });
    mutations.observe(root, { subtree: true, childList: true, characterData: true });
  });

/** Returns the functions of the harness that insert the messages of this widget once more. */
const reinsertMessages = (
  list: () => Element,
  frame: () => Promise<number>,
): Pick<Harness, 'takeMessages' | 'insertMessages'> => {
  let pages: string[] = [];
  return {
    takeMessages() {
      pages = [...list().children].map(({ innerHTML }) => innerHTML.replaceAll('workspace-chat-message', 'div'));
      list().replaceChildren();
    },
    async insertMessages() {
      for (const html of pages.toReversed()) {
        const element = document.createElement('div');
        element.className = 'page';
        element.innerHTML = html;
        list().prepend(element);
        await frame();
      }
      await new Promise((resolve) => setTimeout(resolve));
    },
  };
};

const functions = { watchLongTasks, countFrames, countElements, bytes, whenAdded, reinsertMessages };

const install = (
  { host, launcher, field }: Pick<Peer, 'host' | 'launcher' | 'field'>,
  { watchLongTasks, countFrames, countElements, bytes, whenAdded, reinsertMessages }: typeof functions,
): void => {
  const frame = () => new Promise<number>(requestAnimationFrame);
  /** Resolves after the paint of the frame whose callbacks run now. */
  const paint = async () => {
    await new Promise((resolve) => setTimeout(resolve));
    return performance.now();
  };
  const root = () => (host ? document.querySelector(host)?.shadowRoot : document.body);
  /** Resolves when a visible element has been painted. */
  const painted = async (selector: string): Promise<HTMLElement> => {
    for (;;) {
      await frame();
      const found = root()?.querySelector<HTMLElement>(selector);
      if (!found || found.getBoundingClientRect().width === 0 || !found.checkVisibility()) continue;
      await paint();
      return found;
    }
  };
  let click = () => {};
  const clicked = location.search === '?later' ? new Promise<void>((resolve) => (click = resolve)) : null;
  const open = async () => {
    const button = await painted(launcher ?? field);
    const marks = { visible: performance.now(), visibleBytes: bytes() };
    await clicked;
    const began = performance.now();
    if (launcher) button.click();
    await painted(field);
    const usable = performance.now();
    return { ...marks, usable, opened: usable - began, usableBytes: bytes() };
  };

  const harness: Harness = {
    opening: open(),
    click: () => click(),
    countElements,
    bytes,
    appears: (text) =>
      whenAdded(root()!, text)
        .then(frame)
        .then(paint)
        .then((time) => performance.timeOrigin + time),
    async isThere(text) {
      const isIn = () => root()?.textContent?.includes(text);
      do await frame();
      while (!isIn());
      return paint();
    },
    ...reinsertMessages(() => root()!.querySelector('.pages')!, frame),
    blocking: watchLongTasks(),
    countFrames,
  };
  Object.assign(window, { bench: harness });
};

/** Returns the page of a widget. Its scripts have the nonce `bench`, for pages with a Content-Security-Policy. */
export const page = (peer: Peer, { language, words }: { language: 'en' | 'ar'; words: string }): string => {
  const { host, launcher, field } = peer;
  const options = JSON.stringify({ host, launcher, field });
  const sources = Object.entries(functions).map(([name, source]) => `${name}: ${source.toString()}`);
  // The compiler may wrap named functions in a helper, which must exist in the page.
  const script = `<script>globalThis.__name ??= (value) => value; (${install.toString()})(${options}, { ${sources.join(', ')} })</script>`;
  const direction = language === 'ar' ? 'rtl' : 'ltr';
  const start = `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><title>Bench</title>`;
  const text = `${start}${script}${peer.head}</head><body>${words}${peer.body ?? ''}</body></html>`;
  return text.replaceAll('<script', '<script nonce="bench"');
};
