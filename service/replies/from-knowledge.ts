/** Composes an answer from the passages and answered questions that speak of what was asked. */
import type { Source } from '../../contract/wire.ts';
import type { Db } from '../db/open.ts';
import { search, type Found, type Hit } from '../knowledge/search.ts';
import { terms, words } from '../knowledge/terms.ts';
import type { Action, Turn } from './reply-source.ts';
import type { Reply } from './reply.ts';

export interface KnowledgeSearch extends Found {
  /** The action asked for, when its wording is closer than anything known. */
  action: Action | undefined;
}

/** Below this share of the question, silence is more honest than an answer. */
const enough = 0.44;
/** With a single word of several met, it may well be about something else. */
const minScoreForOneTerm = 0.58;
/** An action does something: its wording must be met more closely. */
const minActionScore = 0.6;
/** The part of a question that another passage must take up to be joined to the answer. */
const minGain = 0.2;
const maxPassages = 3;
const maxWholePassageLength = 450;

const followUp =
  /^(and|but|also|what about|how about|what if|or|then|so)\b|\b(that|it|there|then|this one|those)\b|^(و|ماذا عن|وماذا|وكيف|وكم|طيب|بس|او)\s?|(ذلك|هذا|هذه|فيها|منها)/;
const asksHow = /^(how|what is|whats|كيف|كم|ما طريقه|هل)\b/;

export const searchKnowledge = async (db: Db, turn: Turn): Promise<KnowledgeSearch> => {
  const found = await search(db, turn.agent.id, turn.language, turn.question, lent(turn));
  const known = found.hits.find((hit) => hit.kind !== 'action');
  const action = found.hits.find((hit) => hit.kind === 'action');
  const ahead = (action?.score ?? 0) - (known?.score ?? 0);
  // On a tie, "How do I book?" wants to know and "Book a class" wants it done.
  const wanted = action && action.score >= minActionScore && (ahead > 0.001 || (ahead > -0.001 && !asks(turn)));
  return { ...found, action: wanted ? turn.actions.find(({ id }) => id === action.actionId) : undefined };
};

const asks = (turn: Turn): boolean => {
  return asksHow.test(words(turn.question).join(' '));
};

/** "And on Friday?" leans on the question before it; a question that stands on its own does not. */
const lent = ({ question, history }: Turn): string => {
  const own = terms(question);
  const previous = history.findLast((message) => message.role === 'user');
  if (!previous || own.length > 4) return '';
  const leans = own.length <= 1 || followUp.test(words(question).join(' '));
  return leans ? previous.content : '';
};

export const knowledgeReply = (turn: Turn, found: KnowledgeSearch): Reply | undefined => {
  const known = found.hits.filter((hit) => hit.kind !== 'action' && hit.score >= enough * 0.6);
  const best = known[0];
  if (!best) return undefined;
  const byOneWord = best.covers.size === 1 && found.asked.size > 1;
  if (best.score < (byOneWord ? minScoreForOneTerm : enough)) return undefined;
  const chosen = [best, ...joined(best, known, found.asked)];
  return {
    text: chosen.map((hit) => said(hit, found.asked, turn)).join('\n\n'),
    outcome: 'answered',
    sources: citedSources(chosen),
  };
};

/** What else must be said: passages headed by the parts of the question that the ones before left open. */
const joined = (best: Hit, known: Hit[], asked: Map<string, number>): Hit[] => {
  const open = new Map([...asked].filter(([term]) => !best.covers.has(term)));
  const total = weight([...asked.keys()], asked);
  const more: Hit[] = [];
  while (more.length < maxPassages - 1) {
    const next = known
      .filter((hit) => hit.body !== best.body && !more.some(({ body }) => body === hit.body))
      .map((hit) => ({
        hit,
        gain: weight(
          [...hit.covers].filter((term) => open.has(term)),
          asked,
        ),
      }))
      .sort((a, b) => b.gain - a.gain || b.hit.score - a.hit.score)[0];
    if (!next || next.gain < total * minGain) break;
    more.push(next.hit);
    for (const term of next.hit.covers) open.delete(term);
  }
  return more;
};

const weight = (some: string[], asked: Map<string, number>): number => {
  return some.reduce((sum, term) => sum + (asked.get(term) ?? 0), 0);
};

/** A short passage is said whole; of a long one the sentences that speak of the question, in their order. */
const said = ({ body }: Hit, asked: Map<string, number>, { language }: Turn): string => {
  if (body.length <= maxWholePassageLength || /^[-*\d]/m.test(body)) return body;
  const split = new Intl.Segmenter(language, { granularity: 'sentence' });
  const all = [...split.segment(body)].map(({ segment }, at) => ({
    segment,
    at,
    value: weight([...new Set(terms(segment))], asked) + (at === 0 ? 0.5 : 0),
  }));
  const kept = all
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, 3);
  return kept
    .sort((a, b) => a.at - b.at)
    .map(({ segment }) => segment.trim())
    .join(' ');
};

/** The sources that passages come from, each once. */
export const citedSources = (hits: Hit[]): Source[] => {
  const byFile = new Map<string, Source>();
  for (const { sourceId, filename, title, url } of hits) {
    if (sourceId === null || filename === null || byFile.has(sourceId)) continue;
    byFile.set(sourceId, {
      file_id: sourceId,
      filename,
      ...(title === '' ? {} : { title }),
      ...(url === null ? {} : { url }),
    });
  }
  return [...byFile.values()];
};
