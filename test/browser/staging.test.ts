import { expect } from '@open-wc/testing';
import type { ReactiveController } from 'lit';
import { afterPaint } from '../../src/controllers/after-paint.ts';
import { StagingController } from '../../src/controllers/staging-controller.ts';

/** A host whose update takes `perItem` milliseconds for each new item, by its own clock. */
const createHost = (count: number, perItem: number) => {
  const items = Array.from({ length: count }, (_, index) => index);
  const shown: number[] = [];
  let now = 0;
  let controller: ReactiveController | undefined;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const host = {
    addController: (added: ReactiveController) => void (controller = added),
    removeController() {},
    updateComplete: Promise.resolve(true),
    requestUpdate: () => {
      const visible = staging.visible(items);
      expect(visible.at(-1)).to.equal(count - 1);
      now += (visible.length - (shown.at(-1) ?? 0)) * perItem;
      shown.push(visible.length);
      if (visible.length === count) finish();
      controller!.hostUpdated!();
    },
  };
  const staging = new StagingController(host);
  controller!.hostConnected!();
  return { host, controller: controller!, finished, shown };
};

const steps = (shown: readonly number[]) => shown.slice(1).map((count, index) => count - shown[index]!);

describe('A long list that is rendered in steps', () => {
  it('begins with the newest items that fill the view, and ends with all of them', async () => {
    const { host, finished, shown } = createHost(1000, 0.1);
    host.requestUpdate();
    expect(shown).to.deep.equal([Math.ceil(innerHeight / 48)]);
    await finished;
    expect(steps(shown).every((step) => step > 0)).to.equal(true);
    expect(shown.at(-1)).to.equal(1000);
  });

  it('ends when its host is removed', async () => {
    const { host, controller, shown } = createHost(1000, 0.1);
    host.requestUpdate();
    controller.hostDisconnected!();
    // The controller began to wait for the same paint earlier.
    await afterPaint();
    expect(shown).to.have.length(1);
  });

  it('shows a single new item at once', () => {
    const staging = new StagingController({ addController() {} } as unknown as ConstructorParameters<
      typeof StagingController
    >[0]);
    const items = Array.from({ length: 500 }, (_, index) => index);
    const before = staging.visible(items).length;
    expect(staging.visible([...items, 500])).to.have.length(before + 1);
    expect(staging.visible(items.slice(0, 3))).to.deep.equal([0, 1, 2]);
  });
});
