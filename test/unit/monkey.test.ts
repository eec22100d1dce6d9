import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assert as assertProperty, asyncProperty, subarray } from 'fast-check';
import { behaviorWeights } from '../monkey/behaviors.ts';
import { erasureCountOf, markersIn, Model, replyMarker } from '../monkey/model.ts';
import { shrink } from '../monkey/shrink.ts';
import { actionWeights, generateRun } from '../monkey/steps.ts';

/** Shrinks a list that fails as long as it contains all of `needed`. */
const shrinkTo = (items: number[], needed: number[], maxAttempts = 1_000) => {
  let attempts = 0;
  const stillFails = async (shorter: readonly number[]) => {
    attempts++;
    return needed.every((item) => shorter.includes(item));
  };
  return shrink(items, { stillFails, maxAttempts }).then((shrunk) => ({ shrunk, attempts }));
};

it('a seed of the random runs always generates the same run', () => {
  for (let seed = 1; seed <= 50; seed++) assert.deepEqual(generateRun(seed), generateRun(seed));
});

it('the random runs use every action, every server behavior and every storage', () => {
  const runs = Array.from({ length: 200 }, (_, index) => generateRun(index + 1));
  const steps = runs.flatMap((run) => run.steps);
  assert.equal(new Set(steps.map(({ action }) => action)).size, Object.keys(actionWeights).length);
  assert.equal(new Set(steps.flatMap(({ replies }) => replies)).size, Object.keys(behaviorWeights).length);
  assert.equal(new Set(runs.map(({ environment }) => environment.storage)).size, 6);
});

it('shrinking finds exactly the steps that a failure needs', async () => {
  const subsets = subarray(
    Array.from({ length: 28 }, (_, index) => index + 1),
    { minLength: 1 },
  );
  await assertProperty(
    asyncProperty(subsets, async (needed) => {
      const all = Array.from({ length: 28 }, (_, index) => index + 1);
      const { shrunk } = await shrinkTo(all, needed);
      assert.deepEqual(shrunk, needed);
    }),
    { numRuns: 100 },
  );
});

it('shrinking stops after the highest number of attempts, with a sequence that still fails', async () => {
  const all = Array.from({ length: 28 }, (_, index) => index + 1);
  const { shrunk, attempts } = await shrinkTo(all, [3, 20], 5);
  assert.equal(attempts, 5);
  assert.ok(shrunk.length < 28 && shrunk.includes(3) && shrunk.includes(20));
});

it('a marker is found in a text and in the reply to it, with the number of erasures', () => {
  const model = new Model();
  const { marker } = model.createText(0);
  assert.deepEqual(markersIn(`Text ${marker} and ${replyMarker(marker)}`), [marker]);
  assert.equal(erasureCountOf(marker), 1);
});

it('only another verified visitor, the logout of a verified visitor and a reset erase', () => {
  const model = new Model();
  for (const [change, count] of [
    [() => model.logout(), 1],
    [() => model.identify('A'), 1],
    [() => model.identify('A'), 1],
    [() => model.identify('B'), 2],
    [() => model.logout(), 3],
    [() => model.reset(), 4],
  ] as const) {
    change();
    assert.equal(model.erasureCount, count);
  }
});

it('a text is expected until its loss is allowed or it is erased', () => {
  const model = new Model();
  const expected = () => model.expectedTexts().map(({ marker }) => marker);
  const first = model.createText(0);
  const second = model.createText(0);
  assert.deepEqual(expected(), [first.marker, second.marker]);
  model.recordDeletion([first.marker]);
  assert.deepEqual(expected(), [second.marker]);
  model.reset();
  assert.deepEqual(expected(), []);
});
