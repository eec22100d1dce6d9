/** Decides when the teaser may be shown: see `teaser-when`. */
import type { Clock } from '../api/clock.ts';
import { isTargeted } from './targeting.ts';

/** One token of `teaser-when`, such as `time:20s`. */
export interface TeaserRule {
  kind: 'time' | 'scroll' | 'exit' | 'visits' | 'path' | 'idle';
  /** Milliseconds, a share from 0 to 1, or a number of visits. 0 for the other kinds. */
  amount: number;
  /** The pattern of a path. */
  pattern: string;
}

const patterns: Record<TeaserRule['kind'], RegExp> = {
  time: /^(\d+(?:\.\d+)?)s$/,
  idle: /^(\d+(?:\.\d+)?)s$/,
  scroll: /^(100|\d{1,2})%$/,
  visits: /^(\d+)$/,
  path: /^(?=\/)/,
  exit: /^$/,
};

const factors: Partial<Record<TeaserRule['kind'], number>> = { time: 1000, idle: 1000, scroll: 0.01, visits: 1 };

const isKind = (kind: string): kind is TeaserRule['kind'] => Object.hasOwn(patterns, kind);

const toRule = (token: string): TeaserRule | null => {
  const [, kind = '', value = ''] = /^([a-z]+)(?::(.+))?$/.exec(token) ?? [];
  const match = isKind(kind) ? patterns[kind].exec(value) : null;
  return isKind(kind) && match ? { kind, pattern: value, amount: Number(match[1] ?? 0) * (factors[kind] ?? 0) } : null;
};

/** Returns the rules of `teaser-when`, and the tokens that are none. */
export const parseTeaserRules = (text: string): { rules: readonly TeaserRule[]; mistakes: readonly string[] } => {
  const tokens = text.split(/\s+/).filter(Boolean);
  return {
    rules: tokens.flatMap((token) => toRule(token) ?? []),
    mistakes: tokens.filter((token) => !toRule(token)),
  };
};

/** What the rules read of the page and of the visitor. */
export interface TeaserPage {
  clock: Clock;
  /** The number of visits to this site, with this one. */
  visits(): number;
}

/** Whether so much of the page has been scrolled. A page that cannot be scrolled has been seen. */
const isScrolled = (share: number): boolean => {
  const { scrollHeight, clientHeight } = document.scrollingElement ?? document.documentElement;
  return scrollY >= share * (scrollHeight - clientHeight) - 1;
};

/** Calls `onEvent` for events of the page, without delaying them. */
const listen = (target: EventTarget, types: string, onEvent: (event: Event) => void, signal: AbortSignal): void => {
  for (const type of types.split(' ')) target.addEventListener(type, onEvent, { signal, passive: true, capture: true });
};

/** Calls `onExit` when the pointer leaves the page at the top. A finger does not leave it. */
const watchExit = (onExit: () => void, signal: AbortSignal): void => {
  if (!matchMedia('(hover: hover) and (pointer: fine)').matches) return;
  const onOut = (event: Event) => {
    const { relatedTarget, clientY } = event as MouseEvent;
    if (!relatedTarget && clientY <= 0) onExit();
  };
  listen(document, 'mouseout', onOut, signal);
};

/** Watches one rule until it holds, or until its signal ends it. */
type Watch = (amount: number, page: TeaserPage, onHeld: () => void, signal: AbortSignal) => void;

const after = ({ clock }: TeaserPage, delay: number, callback: () => void, signal: AbortSignal): void =>
  signal.addEventListener('abort', clock.after(delay, callback), { once: true });

const watches: Partial<Record<TeaserRule['kind'], Watch>> = {
  time: (delay, page, onHeld, signal) => after(page, delay, onHeld, signal),

  /** One timer at a time, however often the visitor moves: when it ends, it waits for the rest. */
  idle(delay, page, onHeld, signal) {
    const { clock } = page;
    let movedAt = clock.monotonic();
    const onMove = () => {
      movedAt = clock.monotonic();
    };
    listen(window, 'pointermove pointerdown keydown wheel scroll', onMove, signal);
    const check = () => {
      const rest = movedAt + delay - clock.monotonic();
      if (rest > 0) after(page, rest, check, signal);
      else onHeld();
    };
    check();
  },

  scroll(share, _page, onHeld, signal) {
    const check = () => {
      if (isScrolled(share)) onHeld();
    };
    check();
    listen(window, 'scroll', check, signal);
  },

  visits(count, page, onHeld) {
    if (page.visits() >= count) onHeld();
  },
};

/**
 * Calls `onHeld` once, as soon as all rules hold. Until then only what they need is running, and nothing afterwards. The path and
 * the pointer that leaves the page are true of one moment, so that the other rules are watched before.
 * @param signal Ends the watching.
 */
export const watchTeaserRules = (
  rules: readonly TeaserRule[],
  page: TeaserPage,
  onHeld: () => void,
  signal: AbortSignal,
): void => {
  const lasting = rules.filter(({ kind }) => kind in watches);
  let open = lasting.length;
  const endWith = (parent: AbortSignal) => {
    const controller = new AbortController();
    parent.addEventListener('abort', () => controller.abort(), { signal: controller.signal });
    return controller;
  };

  const watchMoment = (): void => {
    const watching = endWith(signal);
    const isOnPath = () =>
      rules.every(({ kind, pattern }) => kind !== 'path' || isTargeted(location.pathname, pattern));
    const check = () => {
      if (watching.signal.aborted || !isOnPath()) return;
      watching.abort();
      onHeld();
    };
    if (rules.some(({ kind }) => kind === 'exit')) return watchExit(check, watching.signal);
    check();
    listen(window, 'popstate', check, watching.signal);
    const { navigation } = window as { navigation?: EventTarget };
    if (navigation) listen(navigation, 'currententrychange', check, watching.signal);
  };

  if (open === 0) watchMoment();
  for (const { kind, amount } of lasting) {
    const watching = endWith(signal);
    const onRuleHeld = () => {
      if (watching.signal.aborted) return;
      watching.abort();
      open -= 1;
      if (open === 0) watchMoment();
    };
    watches[kind]!(amount, page, onRuleHeld, watching.signal);
  }
};
