import { expect } from '@open-wc/testing';
import type { AgentMessage, ChatMessage, VisitorMessage } from '../../src/chat/state/state.ts';
import { dayOf, isGrouped } from '../../src/elements/message-end.ts';
import { mount, until } from '../support/pages/element.ts';
import { replyWith, started, streamed } from '../support/fakes/fake-service.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const noon = new Date(2026, 10, 20, 12).getTime();

const visitor = (at: number, changes: Partial<VisitorMessage> = {}): VisitorMessage => ({
  role: 'user',
  key: `${at}`,
  text: 'Hi',
  at,
  delivery: 'confirmed',
  ...changes,
});

const agent = (at: number, changes: Partial<AgentMessage> = {}): AgentMessage => ({
  role: 'assistant',
  key: `${at}`,
  id: '',
  text: 'Hello',
  at,
  actor: 'owner',
  author: 'Salma',
  ending: 'whole',
  sources: [],
  blocks: [],
  tools: [],
  outcome: null,
  refused: false,
  limit: null,
  degraded: false,
  ...changes,
});

describe('A message between its neighbors', () => {
  const isInGroup = (message: ChatMessage | null, next?: ChatMessage | null) =>
    Boolean(message && next && isGrouped(message, next));

  it('belongs to the group of the next one when the same author wrote that soon after it', () => {
    expect(isInGroup(visitor(noon), visitor(noon + minute))).to.equal(true);
    expect(isInGroup(agent(noon), agent(noon + minute))).to.equal(true);
  });

  it('does not belong to its group when the author, the time or the delivery differs', () => {
    const cases: [ChatMessage | null, (ChatMessage | null)?][] = [
      [visitor(noon)],
      [visitor(noon), null],
      [null, agent(noon)],
      [visitor(noon), agent(noon)],
      [visitor(noon), visitor(noon + 5 * minute)],
      [visitor(noon, { delivery: 'unsent' }), visitor(noon)],
      [agent(noon), agent(noon, { author: 'Omar' })],
      [agent(noon), agent(noon, { actor: 'ai', author: undefined })],
      [agent(noon, { ending: 'interrupted' }), agent(noon)],
      [agent(noon, { degraded: true }), agent(noon)],
      [
        { role: 'notice', key: 'n', at: noon, code: 'joined' },
        { role: 'notice', key: 'm', at: noon, code: 'returned' },
      ],
    ];
    for (const [message, next] of cases) expect(isInGroup(message, next)).to.equal(false);
  });

  it('names its day when it is the first one of another day', () => {
    const nameOfDay = (message: ChatMessage | null, previous?: ChatMessage | null) =>
      dayOf(message, previous, 'en-GB', noon);
    expect(nameOfDay(visitor(noon))).to.equal(null);
    expect(nameOfDay(visitor(noon), visitor(noon))).to.equal(null);
    expect(nameOfDay(visitor(noon), visitor(noon - day))).to.equal('Today');
    expect(nameOfDay(visitor(noon - day))).to.equal('Yesterday');
    expect(nameOfDay(visitor(noon - 8 * day), visitor(noon - 8 * day))).to.equal(null);
    expect(nameOfDay(visitor(noon - 8 * day), visitor(noon - 9 * day))).to.match(/^Thursday,? 12 November$/);
    expect(nameOfDay(null, visitor(noon - day))).to.equal(null);
  });
});

it('The actions of a reply copy its text without its marks, and say so', async () => {
  const { element, find } = await mount([streamed(started(), 'Hello **there**')]);
  await element.send('Hi');
  const button = await until(() => find<HTMLButtonElement>('.copy'));
  expect(button.title).to.equal('Copy');
  const written: string[] = [];
  const { writeText } = navigator.clipboard;
  navigator.clipboard.writeText = async (text) => void written.push(text);
  button.click();
  await until(() => button.hasAttribute('data-copied'));
  if (!('ariaNotify' in button)) await until(() => find('.announcer').textContent.trim() === 'Copied');
  navigator.clipboard.writeText = writeText;
  expect(written).to.eql(['Hello there']);
});

describe('The line of a reply that is followed soon', () => {
  const link = '[Returns](https://shop.example/returns)';
  const options = {
    type: 'options',
    options: ['A', 'B', 'C'].map((label) => ({ label: { en: label }, value: label })),
  };
  const bar = (message: Element) => message.querySelector<HTMLElement>('.meta')!;

  const converse = async (attributes: Record<string, string>) => {
    const chat = await mount(
      [replyWith('Choose', { blocks: [options] }), ...['m2', 'm3'].map((id) => replyWith(link, { id }))],
      attributes,
    );
    for (const text of ['https://shop.example/1', 'https://shop.example/2', 'https://shop.example/3'])
      await chat.element.send(text);
    await until(() => chat.findAll('.meta .copy').length === 3);
    if ('feedback' in attributes) await until(() => chat.findAll('.feedback').length === 6);
    return { ...chat, replies: chat.findAll('.message.agent:has(.copy)') };
  };

  for (const [name, attributes] of [
    ['', {}],
    [' with thumbs', { feedback: '' }],
    [' with thumbs, in Arabic', { feedback: '', locale: 'ar' }],
  ] as const)
    it(`covers no link and no button, and stays inside the transcript${name}`, async () => {
      const { find, findAll, replies } = await converse(attributes);
      const scroller = find('.scroller');
      expect(scroller.scrollWidth).to.equal(scroller.clientWidth);
      for (const reply of replies) {
        const { left, right, top, bottom } = bar(reply).getBoundingClientRect();
        for (const control of findAll('.bubble a, .options button')) {
          const box = control.getBoundingClientRect();
          const isCovered = box.left < right && box.right > left && box.top < bottom && box.bottom > top;
          expect(isCovered, control.textContent).to.equal(false);
        }
      }
    });

  it('belongs to the flow once a thumb is pressed, so that the field for a comment covers nothing', async () => {
    const { replies, findAll } = await converse({ feedback: '' });
    const [, reply] = replies;
    if (matchMedia('(hover: hover)').matches) expect(getComputedStyle(bar(reply!)).position).to.equal('absolute');
    reply!.querySelector<HTMLElement>('.feedback.down')!.click();
    const form = await until(() => reply!.querySelector('.comment'));
    expect(getComputedStyle(bar(reply!)).position).to.equal('static');
    const next = findAll('.message')[findAll('.message').indexOf(reply as HTMLElement) + 1]!;
    expect(form.getBoundingClientRect().bottom).to.be.at.most(next.getBoundingClientRect().top);
    const box = reply!.getBoundingClientRect();
    expect(form.querySelector('button')!.getBoundingClientRect().right).to.be.at.most(box.right + 1);
  });
});
