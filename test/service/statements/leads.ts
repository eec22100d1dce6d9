/** Statements of the contract about leads, lead fields and submissions. */
import assert from 'node:assert/strict';
import type { StatementContext } from './context.ts';
import * as is from './field-types.ts';
import { about, assertError, assertInvalid, fieldStatements, inSection, once, type Statement } from './statement.ts';
import { valuesOf } from '../../support/values-of.ts';

const statuses = ['new', 'qualified', 'closed'];
/** The form of the demo that captures a lead. */
export const orderForm = 'custom_order_request';
const filled = 'Name: Mariam\nPhone: 93334444\nWhat to make: Vase\nHow many: 2';

/** Fills in the demo's form and returns the lead. */
export const captureLead = async (
  context: StatementContext,
  headers: Record<string, string> = {},
  values = filled,
): Promise<any> => {
  await context.action(orderForm);
  const { body } = await context.chat('I want a custom order', { headers });
  await context.chat(values, { conversation_id: body.conversation_id });
  const { data } = await context.get('/leads?limit=5');
  return data.find((lead: any) => lead.conversation_id === body.conversation_id);
};

const change = (context: StatementContext, lead: string, body: object) =>
  context.call('PATCH', `/leads/${lead}`, { body });

const campaign = { utm_source: 'poster', utm_medium: 'print' };

const recorded = once(async (context) => {
  const headers = { referer: `https://shop.example/kiln?${new URLSearchParams(campaign).toString()}&q=hidden` };
  const lead = await captureLead(context, headers);
  const conversation = await context.get(`/conversations/${lead.conversation_id}`);
  await context.advance(1000);
  const edited = await change(context, lead.id, {
    notes: 'Called back',
    data: { piece: 'Tiles', email: 'm@m.example' },
  });
  const { data } = await context.get('/leads?limit=100');
  return { lead, edited, conversation, list: data as any[] };
});
const read = async (context: StatementContext) => {
  const { list, lead, edited } = await recorded(context);
  return [...list, lead, edited.body] as object[];
};

const fields = fieldStatements('Lead', read, [
  ['id', is.id, 'The id of a lead is a text.'],
  ['agent_id', is.optional(is.id), 'A lead has the id of its agent.'],
  ['name', is.optional(is.text), 'A lead can have a name.'],
  ['contact', is.optional(is.text), 'A lead can have an address or a number to contact.'],
  ['interest', is.optional(is.text), 'A lead can have an interest.'],
  ['channel', is.optional(is.text), 'A lead can have the channel of its conversation.'],
  ['status', is.oneOf(...statuses), 'The status of a lead is new, qualified or closed.'],
  ['data', is.optional(is.record), 'The data of a lead is an object.'],
  ['notes', is.optional(is.text), 'A lead can have notes of the team.'],
  ['conversation_id', is.optional(is.id), 'A lead has the id of its conversation.'],
  ['created_at', is.time, 'A lead shows when it was created.'],
  ['updated_at', is.optional(is.time), 'A lead that was edited shows when.'],
  ['utm', is.optional(is.record), 'A lead has the campaign of its conversation as an object.'],
  ['referrer', is.optional(is.matching(/^[^?#]*$/)), 'The referrer of a lead has no query string.'],
]);

const resource = inSection('Lead');
const values: Statement[] = [
  ...about(resource, recorded, {
    'A lead begins with the status new.': ({ lead }) => assert.equal(lead.status, 'new'),
    'The time of the last change of a lead is null until the lead is edited.': ({ lead, edited }) => {
      assert.equal(lead.updated_at, null);
      assert.ok(Date.parse(edited.body.updated_at) > Date.parse(lead.created_at));
    },
    'The data of a lead has the values of the agent’s lead fields by key.': ({ lead: { data } }) =>
      assert.deepEqual([data.name, data.phone, data.piece], ['Mariam', '93334444', 'Vase']),
    'The campaign and the referrer of a lead are those of its conversation.': ({ lead, conversation }) => {
      assert.deepEqual(lead.utm, campaign);
      assert.deepEqual([lead.utm, lead.referrer], [conversation.utm, conversation.referrer]);
    },
  }),
];

const operation = inSection('Leads');
const reading: Statement[] = [
  operation('GET /leads lists the leads of all agents, newest first, in pages.', async (context) => {
    const older = await captureLead(context);
    const newer = await captureLead(context);
    const [first, second] = await context.firstTwo('/leads');
    assert.deepEqual([first.id, second.id], [newer.id, older.id]);
  }),
  operation('The list of leads can be filtered by agent.', async (context) => {
    await recorded(context);
    const { data } = await context.get(`/leads?agent_id=${context.agentId}&limit=100`);
    assert.ok(data.length > 0 && data.every((lead: any) => lead.agent_id === context.agentId));
    assert.deepEqual((await context.get(`/leads?agent_id=${context.pausedAgentId}`)).data, []);
  }),
  ...statuses.map((status) =>
    operation(`The list of leads can be filtered by the status ${status}.`, async (context) => {
      const lead = await captureLead(context);
      await change(context, lead.id, { status });
      const { data } = await context.get(`/leads?status=${status}&limit=100`);
      assert.ok(data.some((each: any) => each.id === lead.id));
      assert.ok(data.every((each: any) => each.status === status));
    }),
  ),
  ...about(operation, recorded, {
    'GET /leads/{lead_id} returns one lead.': async ({ edited }, context) =>
      assert.deepEqual(await context.get(`/leads/${edited.body.id}`), edited.body),
    'A key limited to other agents does not find a lead.': async ({ lead }, context) => {
      const key = await context.makeKey({ scopes: ['leads:read'], agentIds: [context.pausedAgentId] });
      assertError(await context.call('GET', `/leads/${lead.id}`, { key }), 404, 'not_found');
      assert.deepEqual((await context.get('/leads', { key })).data, []);
    },
  }),
];

const changing: Statement[] = [
  ...(
    [
      ['name', 'Zayna'],
      ['contact', 'z@z.example'],
      ['interest', 'A large vase'],
      ['notes', 'Prefers mornings'],
    ] as const
  ).map(([field, value]) =>
    operation(`PATCH /leads/{lead_id} changes the ${field} of a lead.`, async (context) => {
      const { id: lead } = (await recorded(context)).lead;
      const { status, body } = await change(context, lead, { [field]: value });
      assert.deepEqual([status, body[field]], [200, value]);
      assert.equal((await context.get(`/leads/${lead}`))[field], value);
    }),
  ),
  operation('A change merges the data of a lead by key, and null removes a key.', async (context) => {
    const lead = await captureLead(context);
    const { body } = await change(context, lead.id, { data: { quantity: null, color: 'Blue' } });
    const { quantity: _, ...others } = lead.data;
    assert.deepEqual(body.data, { ...others, color: 'Blue' });
  }),
  ...about(operation, recorded, {
    'A select field in the data of a lead takes only one of its options.': async ({ lead: { id: lead } }, context) => {
      assertInvalid(await change(context, lead, { data: { piece: 'A boat' } }), 'data.piece');
      assert.equal((await change(context, lead, { data: { piece: 'Tableware' } })).body.data.piece, 'Tableware');
    },
    'A change of a lead needs at least one field.': async ({ lead }, context) =>
      assertInvalid(await change(context, lead.id, {})),
  }),
  ...about(operation, captureLead, {
    'DELETE /leads/{lead_id} returns 204 and deletes the lead for good.': async (lead, context) => {
      const { status, body } = await context.call('DELETE', `/leads/${lead.id}`);
      assert.deepEqual([status, body], [204, undefined]);
      assertError(await context.call('GET', `/leads/${lead.id}`), 404, 'not_found');
    },
    'The conversation of a deleted lead stays.': async (lead, context) => {
      await context.call('DELETE', `/leads/${lead.id}`);
      const messages = await context.get(`/conversations/${lead.conversation_id}/messages`);
      assert.equal(messages.data.length, 4);
    },
  }),
  operation('The booking of a deleted lead stays: nobody else can book its time.', async (context) => {
    await context.action('book_class');
    await context.action(orderForm);
    const { body } = await context.chat('Book a class');
    const { conversation_id } = body;
    const { start } = body.message.blocks[0].times[0];
    await context.chat(start, { conversation_id });
    await context.chat('I want a custom order', { conversation_id });
    await context.chat(filled, { conversation_id });
    const { data } = await context.get('/leads?limit=5');
    const lead = data.find((each: any) => each.conversation_id === conversation_id);
    assert.equal((await context.call('DELETE', `/leads/${lead.id}`)).status, 204);
    const other = await context.chat('Book a class');
    assert.ok(other.body.message.blocks[0].times.every((each: any) => each.start !== start));
  }),
  operation('The audit log records the deletion of a lead with the key.', async (context) => {
    const lead = await captureLead(context);
    const { id: keyId, key } = await context.makeKeyWithId({ scopes: ['leads:write'] });
    await context.call('DELETE', `/leads/${lead.id}`, { key });
    const { data } = await context.team('GET', '/audit-log?limit=20');
    const entry = data.find(({ target }: any) => target === lead.id);
    assert.deepEqual([entry.action, entry.key_id], ['lead.deleted', keyId]);
  }),
];

const status = inSection('Lead status');
const moves: Statement[] = [
  status('A lead can move from each status to every other one.', async (context) => {
    const { id: lead } = await captureLead(context);
    for (const to of ['qualified', 'closed', 'new', 'closed', 'qualified', 'new']) {
      assert.equal((await change(context, lead, { status: to })).body.status, to);
    }
  }),
  status('An unknown status of a lead is rejected.', async (context) => {
    assertInvalid(await change(context, (await recorded(context)).lead.id, { status: 'won' }), 'status');
  }),
  ...(
    [
      ['lead.updated', { notes: 'A note' }, 'Every change of a lead sends lead.updated.'],
      ['lead.status_changed', { status: 'qualified' }, 'A change of a lead’s status sends lead.status_changed.'],
    ] as const
  ).map(([type, body, sentence]) =>
    status(sentence, async (context) => {
      const lead = await captureLead(context);
      const endpoint = await context.webhook([type]);
      await change(context, lead.id, body);
      const { event } = await endpoint.next(type, (data) => data.id === lead.id);
      await endpoint.remove();
      if (type === 'lead.status_changed') assert.equal(event.data.previous_status, 'new');
      assert.equal(event.data.id, lead.id);
    }),
  ),
  status('A change that leaves the status unchanged sends no lead.status_changed.', async (context) => {
    const lead = await captureLead(context);
    const endpoint = await context.webhook(['lead.updated', 'lead.status_changed']);
    await change(context, lead.id, { notes: 'Only a note' });
    await endpoint.next('lead.updated');
    const log = await endpoint.log();
    await endpoint.remove();
    assert.deepEqual(valuesOf(log, 'type'), ['lead.updated']);
  }),
];

/** An agent whose owner arranged fields of every kind. */
const arranged = once(async (context) => {
  const agent = await context.someAgent();
  const kinds = ['text', 'email', 'phone', 'number', 'date', 'select'];
  const sent = kinds.map((kind, at) => ({
    key: `field_${at}`,
    label_en: `A ${kind}`,
    label_ar: at === 0 ? '' : `حقل ${at}`,
    kind,
    options: kind === 'select' ? ['One', 'Two'] : [],
    required: at % 2 === 0,
    ask_when: at % 2 === 0 ? 'always' : 'if_missing',
  }));
  await context.team('POST', `/agents/${agent}/lead-fields`, { fields: sent.toReversed() });
  const response = await context.get(`/agents/${agent}/lead-fields`);
  return { agent, sent: sent.toReversed(), response, list: response.data as any[] };
});

const fieldFields = fieldStatements('LeadField', async (context) => (await arranged(context)).list, [
  ['id', is.id, 'The id of a lead field is a text.'],
  ['agent_id', is.id, 'A lead field has the id of its agent.'],
  ['key', is.matching(/^field_\d$/), 'A lead field has the key under which its value is stored.'],
  ['label_en', is.text, 'A lead field has an English label.'],
  ['label_ar', is.text, 'A lead field has an Arabic label, which is empty without one.'],
  ['kind', is.oneOf('text', 'email', 'phone', 'number', 'date', 'select'), 'The kind of a lead field is one of six.'],
  ['options', is.listOf(is.text), 'The options of a lead field are a list of texts.'],
  ['required', is.flag, 'A lead field says whether it is required.'],
  ['ask_when', is.oneOf('always', 'if_missing'), 'A lead field is asked for always, or if it is missing.'],
  ['position', is.integer, 'The position of a lead field is an integer.'],
  ['created_at', is.optional(is.time), 'A lead field shows when it was created.'],
]);

const fieldList: Statement[] = [
  operation('GET /agents/{agent_id}/lead-fields lists the fields in the order of the owner.', async (context) => {
    const { list, sent } = await arranged(context);
    assert.deepEqual(
      valuesOf(list, 'key'),
      sent.map(({ key }) => key),
    );
    const positions = list.map(({ position }) => position as number);
    assert.deepEqual(
      positions,
      positions.toSorted((a, b) => a - b),
    );
  }),
  operation('The list of lead fields has the options of a select field.', async (context) => {
    const select = (await arranged(context)).list.find(({ kind }) => kind === 'select');
    assert.deepEqual(select.options, ['One', 'Two']);
  }),
  operation('The list of lead fields takes no paging parameters and has all fields.', async (context) => {
    const { agent, list } = await arranged(context);
    assert.deepEqual((await context.get(`/agents/${agent}/lead-fields?limit=1`)).data, list);
  }),
];

export const leadStatements: Statement[] = [fields, values, reading, changing, moves, fieldFields, fieldList].flat();
