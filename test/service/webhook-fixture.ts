/** A service with a webhook receiver, for the tests of webhook endpoints and of their deliveries. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach } from 'node:test';
import { webhookEndpoints } from '../../service/db/schema.ts';
import { emit } from '../../service/events/emit.ts';
import { useReceiver } from './receiver.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { useTestService } from './support.ts';

/** Starts both before the tests of a file. Each test begins without endpoints and received deliveries. */
export const useWebhooks = (options: ServiceOptions = {}) => {
  const tested = useTestService({ allowLoopback: true, ...options });
  const receiver = useReceiver(() => tested.clock.now);
  beforeEach(() => receiver.clear());
  afterEach(async () => {
    await tested.service.db.delete(webhookEndpoints);
  });

  /** Subscribes the receiver to events of these types and returns the endpoint. */
  const subscribe = async (types: string[]) => {
    const { body, status } = await tested.api('POST', '/webhooks', { url: receiver.url, events: types });
    assert.equal(status, 201, JSON.stringify(body));
    receiver.secret = body.secret;
    return body;
  };

  /** Emits an event to deliver. */
  const emitTestEvent = async () => {
    const { db } = tested.service;
    const event = {
      workspaceId: 'wsp_palm_and_clay',
      agentId: tested.agentId,
      type: 'lead.created' as const,
      data: { id: 'x' },
    };
    return db.transaction((tx) => emit(tx, { ...event, at: new Date(tested.clock.now) }));
  };

  return { tested, receiver, subscribe, emitTestEvent };
};
