import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Block } from '../../../contract/wire.ts';
import { accessibilityPage } from '../../../scripts/generated-docs.ts';
import type { ChatEvent } from '../../../src/chat/state/chat-event.ts';
import { reduce } from '../../../src/chat/state/reduce.ts';
import { initialState, type ConversationState, type Problem } from '../../../src/chat/state/state.ts';
import type { ViewState } from '../../../src/controllers/chat-context.ts';
import {
  attentionTable,
  occurrencesOf,
  type AttentionEvent,
  type Announcement,
} from '../../../src/elements/attention-table.ts';
import { strings as arabic } from '../../../src/locale/ar.ts';
import { strings as english } from '../../../src/locale/en.ts';
import { response } from '../../support/fakes/fake-service.ts';

const views = {
  en: { strings: english, language: 'en', dir: 'ltr', languageTag: 'en' } as unknown as ViewState,
  ar: { strings: arabic, language: 'ar', dir: 'rtl', languageTag: 'ar' } as unknown as ViewState,
};

const problem: Problem = { code: 'timeout', status: 0, requestId: '', detail: '' };
const question = { role: 'user', key: 'q', text: 'Hello', at: 1, delivery: 'sending' } as const;
const sent: ChatEvent = { type: 'turn-sent', message: question };
const values = [[{ en: 'Order', ar: 'الطلب' }, '1042']] as const;
const asked = {
  type: 'tool-changed',
  run: { callId: 'c', name: 'find_order', phase: 'asked', question: 'May the chat look up the order?', values },
} as const satisfies ChatEvent;
const received: ChatEvent = {
  type: 'message-received',
  message: { id: 'm', role: 'assistant', content: '**I am Salma.**' },
  key: 'm',
  at: 1,
};
const delayed = (reason: 'offline' | 'rate_limited'): ChatEvent => ({ type: 'turn-delayed', reason, until: null });
const ended = (state: string): ChatEvent => ({ type: 'reply-ended', response: response({ state }), key: 'r', at: 1 });

/** Returns an announcement as one text, in which a part in another language begins with that language. */
const asText = (announcement: string | readonly Announcement[] = ''): string =>
  [announcement]
    .flat()
    .map((part) => (typeof part === 'string' ? part : `[${part[1]}] ${part[0]}`))
    .join('\n');

/** Returns what the last of the events makes apply, with the announcements in a language. */
const applied = (events: readonly ChatEvent[], view = views.en): [event: AttentionEvent, text: string][] => {
  let state: ConversationState = { ...initialState, status: 'ready' };
  let previous = state;
  for (const event of events) {
    previous = state;
    state = reduce(state, event);
  }
  return occurrencesOf(events.at(-1)!, state, previous).map(({ event, message }) => [
    event,
    asText(attentionTable[event].announcement?.({ state, view, message })),
  ]);
};

/** The events that lead to each row, and what the last of them announces. */
const rows: Record<
  Exclude<
    AttentionEvent,
    | 'control-removed'
    | 'suggestions-shown'
    | 'text-copied'
    | 'text-failed'
    | 'language-changed'
    | 'conversation-started'
  >,
  [events: ChatEvent[], english: string, arabic: string]
> = {
  'reply-completed': [[sent, ended('ai_active')], 'Assistant: Hello there', 'المساعد: Hello there'],
  'team-message-received': [
    [{ type: 'state-changed', state: 'human_active', key: 's', at: 1 }, received],
    'Team: **I am Salma.**',
    'الفريق: **I am Salma.**',
  ],
  'notice-added': [
    [{ type: 'state-changed', state: 'closed', key: 's', at: 1 }],
    'This conversation has ended.',
    'انتهت هذه المحادثة.',
  ],
  'message-sent': [[sent], 'Replying…', 'جارٍ الرد…'],
  'message-waiting': [
    [sent, delayed('offline')],
    'You’re offline. Your message will be sent when you’re back online.',
    'لا يوجد اتصال بالإنترنت. ستُرسل رسالتك فور عودة الاتصال.',
  ],
  'turn-failed': [
    [sent, { type: 'turn-failed', problem, delivery: 'unconfirmed' }],
    'The reply took too long.',
    'استغرق الرد وقتًا أطول من المعتاد.',
  ],
  'reply-stopped': [
    [sent, { type: 'reply-started', key: 'r', at: 1 }, { type: 'text-added', text: 'Half' }, { type: 'turn-stopped' }],
    'Stopped',
    'تم الإيقاف',
  ],
  'consent-requested': [
    [sent, { type: 'reply-started', key: 'r', at: 1 }, asked],
    'May the chat look up the order?\nOrder: 1042',
    'May the chat look up the order?\nالطلب: 1042',
  ],
  'consent-expiring': [
    [
      sent,
      { type: 'reply-started', key: 'r', at: 1 },
      asked,
      { ...asked, run: { ...asked.run, until: 0, isExpiring: true } },
    ],
    'Time left: 1 second',
    'الوقت المتبقي: ثانية',
  ],
  'consent-timed-out': [
    [
      sent,
      { type: 'reply-started', key: 'r', at: 1 },
      asked,
      { ...asked, run: { callId: 'c', name: 'find_order', phase: 'failed', isTimedOut: true } },
    ],
    'The question has timed out.',
    'انتهت مهلة السؤال.',
  ],
  'conversation-erased': [[sent, { type: 'cleared', kept: 'nothing' }], 'New conversation', 'محادثة جديدة'],
  'conversation-hidden': [[sent, { type: 'suspended' }], '', ''],
  'message-edited': [
    [sent, { type: 'turn-failed', problem, delivery: 'unsent' }, { type: 'message-edited', key: question.key }],
    '',
    '',
  ],
};

describe('The table of focus and announcements', () => {
  it('is the table of docs/accessibility.md', () => {
    const { current, written } = accessibilityPage();
    assert.equal(current, written, 'run `npx tsx scripts/generated-docs.ts`');
  });

  for (const [name, [events, inEnglish, inArabic]] of Object.entries(rows))
    it(`applies the row ${name} once, and announces its sentence in both languages`, () => {
      assert.deepEqual(applied(events), [[name, inEnglish]]);
      assert.deepEqual(applied(events, views.ar), [[name, inArabic]]);
    });

  it('announces a reply in another language that has no text as a new message', () => {
    const reply = response({
      message: { id: 'm', role: 'assistant', content: '' },
      sources: [{ title: 'Hours', file_id: 'file_1', filename: 'hours.md' }],
    });
    const language = { ...reply, message: { ...reply.message!, lang: 'ar' } };
    const events: ChatEvent[] = [sent, { type: 'reply-ended', response: language, key: 'r', at: 1 }];
    assert.deepEqual(applied(events), [['reply-completed', 'Assistant: New messages']]);
  });

  it('announces the suggestions of the page, and nothing when there are none', () => {
    const textOf = (suggestions: (typeof views)['en']['suggestions']) =>
      attentionTable['suggestions-shown'].announcement!({
        state: initialState,
        view: { ...views.en, suggestions },
        message: null,
      });
    assert.equal(textOf({ texts: ['One', 'Two'], afterKey: 'a' }), 'Suggestions:\nOne\nTwo');
    assert.equal(textOf(null), '');
  });

  it('interrupts other announcements only for a failure and for a request for consent', () => {
    const high = Object.entries(attentionTable).filter(([, { isUrgent }]) => isUrgent);
    assert.deepEqual(
      high.map(([name]) => name),
      ['turn-failed', 'consent-requested', 'consent-expiring', 'consent-timed-out'],
    );
  });

  it('announces the blocks of a reply by their names', () => {
    const blocks = [
      { type: 'form', fields: [{ key: 'a', label_en: 'A', label_ar: 'أ', kind: 'text', options: [], required: true }] },
      { type: 'options', options: [{ label: 'A' }, { label: 'B' }] },
      { type: 'status_card', title: { en: 'Order 1042', ar: 'الطلب 1042' }, status: { en: 'Sent', ar: 'أُرسل' } },
      { type: 'unknown', name: 'x', original: {} },
    ] satisfies Block[];
    const event: ChatEvent = {
      type: 'reply-ended',
      response: response({ message: { id: 'm', role: 'assistant', content: 'Hello', blocks } }),
      key: 'r',
      at: 1,
    };
    const pluralRule = (language: string) => (count: number) => new Intl.PluralRules(language).select(count);
    assert.deepEqual(applied([sent, event], { ...views.en, pluralRule: pluralRule('en') })[0], [
      'reply-completed',
      'Assistant: Hello\nForm, 1 field\n2 choices\nOrder 1042: Sent',
    ]);
    assert.deepEqual(applied([sent, event], { ...views.ar, pluralRule: pluralRule('ar') })[0], [
      'reply-completed',
      'المساعد: Hello\nنموذج من خانة واحدة\nخياران\nالطلب 1042: أُرسل',
    ]);
  });

  it('announces a reply and the notice that comes with it', () => {
    assert.deepEqual(applied([sent, ended('handoff_requested')]), [
      ['reply-completed', 'Assistant: Hello there'],
      ['notice-added', 'We’ve asked a teammate to join. The assistant keeps helping until then.'],
    ]);
  });

  it('announces that a person has joined before the first message of the person', () => {
    assert.deepEqual(
      applied([received]).map(([event]) => event),
      ['notice-added', 'team-message-received'],
    );
  });

  it('announces a wait again only when its reason changes', () => {
    assert.deepEqual(applied([sent, delayed('offline'), delayed('offline')]), []);
    assert.equal(applied([sent, delayed('offline'), delayed('rate_limited')])[0]?.[0], 'message-waiting');
  });

  it('announces nothing that is restored from the storage', () => {
    const conversation = { messages: [question], conversationId: 'c', state: 'closed', unread: 1, submitted: {} };
    assert.deepEqual(applied([{ type: 'restored', conversation, draft: '', formDrafts: {} }]), []);
  });

  it('announces the text of a reply in its language, and the names of its blocks in that of the chat', () => {
    const blocks = [{ type: 'options', options: [{ label: 'A' }, { label: 'B' }] }] satisfies Block[];
    const message = { id: 'm', role: 'assistant', content: 'Bonjour', lang: 'fr', blocks } as const;
    const event: ChatEvent = { type: 'reply-ended', response: response({ message }), key: 'r', at: 1 };
    const pluralRule = (count: number) => new Intl.PluralRules('en').select(count);
    const textIn = (languageTag: string) => applied([sent, event], { ...views.en, languageTag, pluralRule })[0]![1];
    assert.equal(textIn('en'), 'Assistant:\n[fr] Bonjour\n2 choices');
    assert.equal(textIn('fr-CA'), 'Assistant: Bonjour\n2 choices');
  });
});
