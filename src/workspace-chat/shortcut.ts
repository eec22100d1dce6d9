/** The keys that open and close the chat: see `shortcut`. */
import type { ReactiveController } from 'lit';
import type { ChatHost } from './chat-host.ts';

type Modifier = 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey';

const modifiers: Readonly<Record<string, Modifier>> = {
  alt: 'altKey',
  ctrl: 'ctrlKey',
  control: 'ctrlKey',
  meta: 'metaKey',
  shift: 'shiftKey',
};

/** The names of the modifiers in `aria-keyshortcuts`. */
const ariaNames: Readonly<Record<Modifier, string>> = {
  altKey: 'Alt',
  ctrlKey: 'Control',
  metaKey: 'Meta',
  shiftKey: 'Shift',
};

export interface Shortcut {
  key: string;
  pressed: ReadonlySet<Modifier>;
}

/**
 * Reads a shortcut such as `Alt+C` or `Ctrl+Shift+K`: a letter or a digit with Alt, Ctrl or Meta, so that typing never opens
 * the chat. Returns null for anything else.
 */
export const parseShortcut = (text: string): Shortcut | null => {
  const names = text.split('+').map((name) => name.trim().toLowerCase());
  const key = names.pop() ?? '';
  const pressed = names.map((name) => (Object.hasOwn(modifiers, name) ? modifiers[name]! : null));
  const isSafe = pressed.some((modifier) => modifier !== null && modifier !== 'shiftKey');
  if (!/^[a-z\d]$/.test(key) || !isSafe || pressed.includes(null)) return null;
  return { key, pressed: new Set(pressed as Modifier[]) };
};

/** Whether an event has the keys of a shortcut. On a keyboard of another script, the place of the key counts. */
export const isPressed = ({ key, pressed }: Shortcut, event: KeyboardEvent): boolean => {
  const isKey =
    event.key.toLowerCase() === key || event.code === `Key${key.toUpperCase()}` || event.code === `Digit${key}`;
  return isKey && Object.values(modifiers).every((modifier) => event[modifier] === pressed.has(modifier));
};

/** Returns the value of `aria-keyshortcuts`. */
export const ariaShortcut = ({ key, pressed }: Shortcut): string =>
  [...[...pressed].map((modifier) => ariaNames[modifier]), key.toUpperCase()].join('+');

class ShortcutController implements ReactiveController {
  readonly #host: ChatHost;
  #text: string | null = null;
  #shortcut: Shortcut | null = null;
  #listening = new AbortController();

  constructor(host: ChatHost) {
    this.#host = host;
  }

  hostConnected(): void {
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    document.addEventListener('keydown', this.#onKeyDown, { signal });
  }

  hostDisconnected(): void {
    this.#listening.abort();
  }

  hostUpdated(): void {
    const { launcher, element } = this.#host;
    if (element.shortcut !== this.#text) this.#read(element.shortcut);
    const button = launcher?.querySelector('.launcher');
    if (this.#shortcut) button?.setAttribute('aria-keyshortcuts', ariaShortcut(this.#shortcut));
    else button?.removeAttribute('aria-keyshortcuts');
  }

  #read(text: string | null): void {
    this.#text = text;
    this.#shortcut = text ? parseShortcut(text) : null;
    if (text && !this.#shortcut)
      console.error(
        `workspace-chat: “shortcut” is “${text}”. Write a letter or a digit with Alt, Ctrl or Meta: “Alt+C”.`,
      );
  }

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    const host = this.#host;
    // A key that is held repeats its event, and AltGr writes characters.
    const isOther = event.defaultPrevented || event.isComposing || event.repeat || event.getModifierState('AltGraph');
    if (isOther || !host.isFloating || !this.#shortcut || !isPressed(this.#shortcut, event)) return;
    event.preventDefault();
    if (host.open) host.open = false;
    else host.openByVisitor(document.activeElement);
  };
}

const followed = new WeakSet<ChatHost>();

/** Follows the element's `shortcut` from now on. */
export const followShortcut = (host: ChatHost): void => {
  if (followed.has(host)) return;
  followed.add(host);
  const controller = new ShortcutController(host);
  host.element.addController(controller);
  controller.hostUpdated();
};
