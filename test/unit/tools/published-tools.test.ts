import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { z } from 'zod';
import type { ClientTool } from '../../../src/chat/tools/client-tool.ts';
import { PublishedTools } from '../../../src/chat/tools/published-tools.ts';
import { FakeClock, settle } from '../../support/fakes/fake-clock.ts';
import { FakeModelContext } from '../../support/fakes/fake-model-context.ts';

/** Forgets the type of a tool's arguments, as the registry does. */
const tool = <Args>(typed: ClientTool<Args>) => typed as unknown as ClientTool;

describe('The tools that the widget registers with WebMCP', () => {
  let context: FakeModelContext;
  let published: PublishedTools;
  let clock: FakeClock;
  let asked: unknown[];
  let isAllowed: boolean;
  let warnings: string[];

  const publish = (...tools: ClientTool[]) => published.update(tools);
  const toolNames = () => context.registered.map(({ name }) => name);

  beforeEach(() => {
    context = new FakeModelContext();
    clock = new FakeClock();
    asked = [];
    isAllowed = true;
    warnings = [];
    mock.method(console, 'warn', (text: string) => warnings.push(text));
    mock.method(console, 'error', () => {});
    published = new PublishedTools({
      context,
      clock,
      createId: () => 'id',
      conversationId: () => 'c_1',
      askVisitor: async ({ title }, question, values) => {
        asked.push([title, question, values]);
        return isAllowed;
      },
    });
  });

  afterEach(() => mock.restoreAll());

  it('are registered and unregistered with the widget’s tools', () => {
    const cart: ClientTool = { name: 'get_cart', description: 'The cart', run: () => ({}) };
    const order: ClientTool = { name: 'get_order_status', run: () => ({}) };
    assert.equal(publish(cart, order), true);
    assert.deepEqual(
      context.registered.map(({ name, description }) => [name, description]),
      [
        ['get_cart', 'The cart'],
        ['get_order_status', 'get order status'],
      ],
    );
    assert.equal(publish(cart, order), false);
    publish(order);
    assert.deepEqual(toolNames(), ['get_order_status']);
  });

  it('have a schema of their arguments where the library can convert it, and otherwise none', () => {
    const withoutConversion = { '~standard': { validate: (value: unknown) => ({ value }) } };
    publish(
      tool({ name: 'one', parameters: z.object({ id: z.string() }), run: () => ({}) }),
      tool({ name: 'two', parameters: withoutConversion, run: () => ({}) }),
      tool({ name: 'three', parameters: z.date(), run: () => ({}) }),
      { name: 'four', run: () => ({}) },
    );
    const [one, ...others] = context.registered.map(({ inputSchema }) => inputSchema);
    assert.deepEqual(one?.['properties'], { id: { type: 'string' } });
    assert.deepEqual(others, [undefined, undefined, undefined]);
  });

  it('run with validated arguments only', async () => {
    const parameters = z.object({ count: z.coerce.number() });
    publish(tool({ name: 'double', parameters, run: ({ count }) => ({ n: count * 2 }) }));
    assert.deepEqual(await context.call('double', { count: '4' }), { n: 8 });
    await assert.rejects(context.call('double', { count: 'four' }), { message: 'invalid_arguments' });
  });

  it('ask the visitor first when they have `confirm`', async () => {
    const run = mock.fn(() => ({ isCanceled: true }));
    publish(
      tool({
        name: 'cancel_order',
        title: 'Cancel an order',
        labels: { id: 'Order' },
        confirm: ({ id }: { id: string }) => `Cancel ${id}?`,
        run,
      }),
    );
    isAllowed = false;
    await assert.rejects(context.call('cancel_order', { id: '7' }), { message: 'refused_by_visitor' });
    assert.equal(run.mock.callCount(), 0);
    isAllowed = true;
    assert.deepEqual(await context.call('cancel_order', { id: '7' }), { isCanceled: true });
    assert.deepEqual(asked[0], ['Cancel an order', 'Cancel 7?', [['Order', '7']]]);
  });

  it('end at their timeout, and return at most 8,000 characters', async () => {
    publish(
      { name: 'slow', run: () => new Promise(() => {}) },
      { name: 'large', run: () => ({ text: 'x'.repeat(8000) }) },
    );
    await assert.rejects(context.call('large', {}), { message: 'result_too_large' });
    const ended = assert.rejects(context.call('slow', {}), { message: 'timeout' });
    await settle();
    await clock.advance(15_000);
    await ended;
  });

  it('keep the text of the page’s errors from the other agent', async () => {
    publish({
      name: 'broken',
      run: () => {
        throw new Error('the password is 1234');
      },
    });
    await assert.rejects(context.call('broken', {}), { message: 'tool_error' });
  });

  it('are skipped with one line when the page has a tool of the same name', async () => {
    context.registerTool({ name: 'get_cart', description: 'The page’s own', execute: () => ({}) });
    const cart: ClientTool = { name: 'get_cart', run: () => ({}) };
    publish(cart);
    publish(cart);
    await settle();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, /“get_cart” could not be registered with WebMCP/);
    assert.deepEqual(toolNames(), ['get_cart']);
  });
});
