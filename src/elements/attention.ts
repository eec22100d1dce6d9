/** Announces what happens in the panel to screen readers, and moves focus: see the table. */
import { html, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import type { ChatEvent } from '../chat/state/chat-event.ts';
import type { ConversationState, WaitReason } from '../chat/state/state.ts';
import { StoreController } from '../controllers/store-controller.ts';
import {
  attentionTable,
  occurrencesOf,
  type Announcement,
  type AttentionEvent,
  type AttentionRow,
  type Occurrence,
} from './attention-table.ts';
import { keepFocus } from './focus-keeper.ts';

/** The panel, with a method that TypeScript's library does not have yet. */
type PanelHost = LitElement & { ariaNotify?(text: string, options: { priority: 'normal' | 'high' }): void };

const createRegion = (role: 'status' | 'alert'): HTMLElement => {
  const region = document.createElement('div');
  region.setAttribute('role', role);
  return region;
};

export class AttentionController implements ReactiveController {
  readonly #panel: PanelHost;
  readonly #regions = { normal: createRegion('status'), high: createRegion('alert') };
  /** The reasons to wait that were announced in this turn: a wait may begin again and again. */
  readonly #reasons = new Set<WaitReason>();
  readonly #store: StoreController;
  #locale = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(panel: PanelHost) {
    this.#panel = panel;
    this.#store = new StoreController(panel, undefined, (state, event, previous) =>
      this.#attend(event, state, previous),
    );
    panel.addController(this);
    // What happens in the view alone: a text was copied, a new conversation was started here.
    panel.addEventListener('attention', (event) => this.#attendTo((event as CustomEvent<AttentionEvent>).detail));
    keepFocus(panel, () => this.#focus('next'));
  }

  /** The live regions, for the panel's template. */
  get regions(): TemplateResult {
    return html`<div class="visually-hidden announcer">${this.#regions.normal}${this.#regions.high}</div>`;
  }

  hostUpdated(): void {
    const { locale } = this.#store.view;
    if (this.#locale && this.#locale !== locale) this.#attendTo('language-changed');
    this.#locale = locale;
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  #attendTo(event: AttentionEvent): void {
    this.#announceAll([{ event, message: null }]);
  }

  #attend(event: ChatEvent, state: ConversationState, previous: ConversationState): void {
    if (event.type === 'turn-sent') this.#reasons.clear();
    const occurrences = occurrencesOf(event, state, previous).filter(
      (occurrence) => !this.#isRepeated(occurrence, state),
    );
    if (occurrences.length > 0) this.#announceAll(occurrences);
  }

  #announceAll(occurrences: readonly Occurrence[]): void {
    clearTimeout(this.#timer);
    for (const { event } of occurrences) this.#focus(attentionTable[event].focus);
    const delay = Math.max(...occurrences.map(({ event }) => attentionTable[event].delay ?? 0));
    if (delay === 0) this.#announce(occurrences);
    else this.#timer = setTimeout(() => this.#announce(occurrences), delay);
  }

  /** Whether the occurrence is a wait that was announced before. */
  #isRepeated({ event }: Occurrence, { turn }: ConversationState): boolean {
    if (event !== 'message-waiting' || turn.status !== 'waiting') return false;
    const isKnown = this.#reasons.has(turn.reason);
    this.#reasons.add(turn.reason);
    return isKnown;
  }

  #announce(occurrences: readonly Occurrence[]): void {
    // What was announced of an erased conversation must not stay in the document.
    for (const region of Object.values(this.#regions)) region.textContent = '';
    const { conversation, view } = this.#store.chat;
    if (!conversation.isVisible) return;
    const moment = { state: conversation.store.state, view: view.state };
    // A message may be erased before its announcement is due.
    const due = occurrences.filter(({ message }) => !message || moment.state.messages.includes(message));
    const priority = due.some(({ event }) => attentionTable[event].isUrgent) ? 'high' : 'normal';
    for (const { event, message } of due)
      for (const part of [attentionTable[event].announcement?.({ ...moment, message }) ?? ''].flat())
        this.#say(part, priority);
  }

  /** Says a text from an element of its language, by which a screen reader chooses the voice. */
  #say(part: Announcement, priority: 'normal' | 'high'): void {
    const [text, lang] = [part].flat();
    if (!text) return;
    const region = this.#regions[priority];
    const hasNotify = this.#panel.ariaNotify;
    const speaker: PanelHost | HTMLElement = !hasNotify ? document.createElement('p') : lang ? region : this.#panel;
    if (lang) speaker.lang = lang;
    if (hasNotify) return (speaker as PanelHost).ariaNotify!(text, { priority });
    speaker.textContent = text;
    region.append(speaker);
  }

  #focus(target: AttentionRow['focus']): void {
    if (!target) return;
    const isTouch = matchMedia('(pointer: coarse)').matches;
    // A page that covers the transcript comes before it.
    const transcript = this.#panel.querySelector<HTMLElement>('.back, .scroller');
    if (target === 'next' && isTouch) transcript?.focus({ preventScroll: true });
    else this.#panel.focus();
  }
}
