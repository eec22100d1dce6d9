/** Shows in the panel's status that the device is offline. */
import type { LitElement, ReactiveController } from 'lit';
import type { ViewState } from '../controllers/chat-context.ts';
import { problemStringsFor } from '../locale/problem-text.ts';

/** The panel, whose status can be replaced. */
export type StatusHost = LitElement & { replaceStatus: ((view: ViewState) => string) | null };

const offlineText = (view: ViewState): string => problemStringsFor(view).offline;

export class ConnectionController implements ReactiveController {
  readonly #panel: StatusHost;
  #disconnected = new AbortController();

  constructor(panel: StatusHost) {
    this.#panel = panel;
  }

  hostConnected(): void {
    this.#disconnected = new AbortController();
    const { signal } = this.#disconnected;
    addEventListener('online', this.#update, { signal });
    addEventListener('offline', this.#update, { signal });
    this.#update();
  }

  hostDisconnected(): void {
    this.#disconnected.abort();
  }

  readonly #update = (): void => {
    this.#panel.replaceStatus = navigator.onLine ? null : offlineText;
  };
}
