/** Adds one question with its answer to an agent's knowledge, or another wording to a question that is there. */
import { and, eq } from 'drizzle-orm';
import { maxQuestionImportItems } from '../../contract/limits.ts';
import { ApiError, invalid } from '../core/errors.ts';
import type { Plan } from '../core/plans.ts';
import type { Agent } from '../db/records.ts';
import type { SaveResponse } from '../db/repeatable-call.ts';
import { sources, type QuestionItem } from '../db/schema.ts';
import type { SourceOut } from '../resources/source.ts';
import { changeQuestions, type ImportContext } from './import-questions.ts';

/** The batch of the questions that the team adds one by one. */
const batchName = 'Questions added by the team';
const maxAlternatives = 20;

interface NewQuestion {
  question: string;
  answer: string;
}

export const addQuestion = (
  context: ImportContext,
  agent: Agent,
  plan: Plan,
  { question, answer }: NewQuestion,
  saveResponse: SaveResponse<SourceOut>,
): Promise<SourceOut> => {
  const add = (items: QuestionItem[]): QuestionItem[] => {
    if (items.length >= maxQuestionImportItems) throw new ApiError('conflict', { details: 'batch_full' });
    return [...items, { question, answer, alternatives: [] }];
  };
  return changeQuestions(context, agent, plan, batchName, add, saveResponse);
};

interface NewWording {
  sourceId: string;
  /** A wording that the source has: the question or one of its alternatives. */
  question: string;
  alternative: string;
}

export const addWording = async (
  context: ImportContext,
  agent: Agent,
  plan: Plan,
  { sourceId, question, alternative }: NewWording,
  saveResponse: SaveResponse<SourceOut>,
): Promise<SourceOut> => {
  const [source] = await context.db
    .select({ name: sources.name })
    .from(sources)
    .where(and(eq(sources.id, sourceId), eq(sources.agentId, agent.id), eq(sources.type, 'qa_bulk')));
  if (!source) throw invalid('source_id', 'not_found', 'The agent has no questions with this id.');
  const add = (items: QuestionItem[]): QuestionItem[] => {
    const found = items.find((item) => hasWording(item, question));
    if (!found) throw invalid('question', 'not_found', 'The source has no such question.');
    if (hasWording(found, alternative)) return items;
    if (found.alternatives.length >= maxAlternatives) throw new ApiError('conflict', { details: 'alternatives_full' });
    const changed = { ...found, alternatives: [...found.alternatives, alternative] };
    return items.map((item) => (item === found ? changed : item));
  };
  return changeQuestions(context, agent, plan, source.name, add, saveResponse);
};

const hasWording = (item: QuestionItem, wording: string): boolean =>
  item.question === wording || item.alternatives.includes(wording);
