import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRevisionCache } from '../../service/db/revision-cache.ts';
import { fuseRanks } from '../../service/knowledge/fuse-ranks.ts';

describe('a cache with revisions', () => {
  const counted = (value: string) => {
    const loads = { count: 0 };
    const load = async () => {
      loads.count++;
      return value;
    };
    return { loads, load };
  };

  it('loads a value once for each revision, also when two turns need it at the same time', async () => {
    const cache = createRevisionCache<string>(10);
    const { loads, load } = counted('a');
    assert.deepEqual(await Promise.all([cache.get('key', '1', load), cache.get('key', '1', load)]), ['a', 'a']);
    assert.equal(loads.count, 1);
    await cache.get('key', '2', load);
    assert.equal(loads.count, 2);
  });

  it('loads a value again after an error', async () => {
    const cache = createRevisionCache<string>(10);
    await assert.rejects(cache.get('key', '1', () => Promise.reject(new Error('no database'))));
    assert.equal(await cache.get('key', '1', async () => 'a'), 'a');
  });

  it('evicts the values that were not used for the longest time', async () => {
    const cache = createRevisionCache<string>(5, (value) => value.length);
    const loads: string[] = [];
    const get = (key: string, value: string) =>
      cache.get(key, '1', async () => {
        loads.push(key);
        return value;
      });
    await get('one', 'aa');
    await get('two', 'bb');
    await get('one', 'aa');
    await get('three', 'cc');
    await get('one', 'aa');
    assert.deepEqual(loads, ['one', 'two', 'three']);
    await get('two', 'bb');
    assert.deepEqual(loads, ['one', 'two', 'three', 'two']);
  });
});

it('reciprocal rank fusion puts what both lists contain first, and keeps the order of what one of them contains', () => {
  assert.deepEqual(
    fuseRanks([
      ['a', 'b', 'c'],
      ['d', 'c'],
    ]),
    ['c', 'a', 'd', 'b'],
  );
});
