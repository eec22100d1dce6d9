import { expect } from '@open-wc/testing';
import { PrivateElement } from '../../src/elements/private-element.ts';

/** Removes the element behind it, as a list does that replaces its content when it is connected. */
class RemovingElement extends HTMLElement {
  connectedCallback(): void {
    this.nextElementSibling?.remove();
  }
}

class RemovedElement extends PrivateElement {
  updates = 0;
  connections = 0;

  protected override onConnected(): void {
    this.connections++;
  }

  override performUpdate(): void {
    this.updates++;
    super.performUpdate();
  }
}

customElements.define('removing-element', RemovingElement);
customElements.define('removed-element', RemovedElement);

it('A private element does nothing when another one has removed it while both were added', async () => {
  const parent = document.createElement('div');
  const removed = new RemovedElement();
  parent.append(new RemovingElement(), removed);
  document.body.append(parent);
  await Promise.resolve();
  expect(removed.isConnected).to.equal(false);
  expect([removed.updates, removed.connections]).to.deep.equal([0, 0]);
  document.body.append(removed);
  await removed.updateComplete;
  expect([removed.updates, removed.connections]).to.deep.equal([1, 1]);
  parent.remove();
  removed.remove();
});
