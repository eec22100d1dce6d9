/** Knows whether the device is offline, for the panel's status. */
import type { ReactiveController } from 'lit';
import type { PrivateElement } from './private-element.ts';

export class ConnectionController implements ReactiveController {
  readonly #panel: PrivateElement;

  constructor(panel: PrivateElement) {
    this.#panel = panel;
    panel.addController(this);
  }

  get isOnline(): boolean {
    return navigator.onLine;
  }

  hostConnected(): void {
    const signal = this.#panel.connection;
    const update = () => this.#panel.requestUpdate();
    addEventListener('online', update, { signal });
    addEventListener('offline', update, { signal });
  }
}
