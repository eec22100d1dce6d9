import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allocateSlots, type WaitingEndpoint } from '../../service/events/delivery-slots.ts';

const none = { total: 0, toFailing: 0, byWorkspace: new Map<string, number>() };
const endpoint = (id: string, more: Partial<WaitingEndpoint> = {}): WaitingEndpoint => {
  return { id, workspaceId: 'one', isFailing: false, inFlight: 0, due: 100, ...more };
};
const endpoints = (count: number, more: Partial<WaitingEndpoint> = {}) =>
  Array.from({ length: count }, (_, each) => endpoint(`${more.workspaceId ?? 'one'} ${each}`, more));
const sum = (granted: Map<string, number>) => [...granted.values()].reduce((total, each) => total + each, 0);

describe('the slots of deliveries', () => {
  it('give a healthy endpoint eight and a failing one a single slot', () => {
    const granted = allocateSlots([endpoint('bad', { isFailing: true }), endpoint('good')], none);
    assert.deepEqual(Object.fromEntries(granted), { good: 8, bad: 1 });
  });

  it('count the deliveries in flight of all processes', () => {
    const granted = allocateSlots(
      [
        endpoint('good', { inFlight: 6 }),
        endpoint('full', { inFlight: 8 }),
        endpoint('bad', { isFailing: true, inFlight: 3 }),
      ],
      none,
    );
    assert.deepEqual(Object.fromEntries(granted), { good: 2 });
  });

  it('give no more slots than deliveries are due', () => {
    assert.deepEqual(Object.fromEntries(allocateSlots([endpoint('good', { due: 3 })], none)), { good: 3 });
  });

  it('leave a slot for another endpoint when ten endpoints of a workspace hang before their first failure', () => {
    const hanging = sum(allocateSlots(endpoints(10), none));
    assert.ok(hanging < 50, `${hanging} of 64 slots`);
    const inFlight = { total: hanging, toFailing: 0, byWorkspace: new Map([['one', hanging]]) };
    const granted = allocateSlots([endpoint('good', { workspaceId: 'two' })], inFlight);
    assert.ok(granted.get('good')! >= 3, `${granted.get('good')} slots`);
  });

  it('leave all slots of a healthy endpoint free when hundreds of endpoints fail', () => {
    const failing = sum(allocateSlots(endpoints(300, { isFailing: true }), none));
    assert.equal(failing, 24);
    const inFlight = { total: failing, toFailing: failing, byWorkspace: new Map() };
    const waiting = [...endpoints(200, { isFailing: true }), endpoint('good')];
    assert.deepEqual(Object.fromEntries(allocateSlots(waiting, inFlight)), { good: 8 });
  });

  it('give the last slots to healthy endpoints first', () => {
    const inFlight = { total: 62, toFailing: 0, byWorkspace: new Map() };
    const waiting = [endpoint('bad', { isFailing: true }), endpoint('good'), endpoint('better')];
    assert.deepEqual([...allocateSlots(waiting, inFlight).keys()].toSorted(), ['better', 'good']);
  });

  it('divide the slots for failing endpoints among the workspaces', () => {
    const byWorkspace = new Map([['one', 22]]);
    const waiting = [
      ...endpoints(9, { isFailing: true }),
      endpoint('other a', { workspaceId: 'two', isFailing: true }),
      endpoint('other b', { workspaceId: 'two', isFailing: true }),
    ];
    const granted = allocateSlots(waiting, { total: 22, toFailing: 22, byWorkspace });
    assert.deepEqual([...granted.keys()], ['other a', 'other b']);
  });
});
