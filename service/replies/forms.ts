/** Forms: shown as a block, submitted as a message of `Label: value` lines. */
import { shortened } from '../../contract/characters.ts';
import { formLines } from './form-lines.ts';
import type { FormBlock, FormField } from '../../contract/wire.ts';
import { textIn } from '../core/language.ts';
import { fieldValue } from './field-values.ts';
import type { Action, Reply, Turn } from './reply-source.ts';
import { sentences } from './sentences.ts';

/** Characters of a value. The widget accepts no longer ones. */
const maxValueLength = 1000;

type Localized = { en: string; ar: string };
type Message = Turn['history'][number];

export const formReply = ({ language }: Turn, action: Action): Reply => {
  const sentence = sentences[language];
  const { title, fields } = action.config as unknown as { title?: string | Localized; fields: FormField[] };
  const form: FormBlock = {
    type: 'form',
    id: action.id,
    action_id: action.id,
    ...(title === undefined ? {} : { title: textIn(title, language) }),
    submit_label: sentence.submit,
    fields,
  };
  return { text: sentence.form, outcome: 'form', sources: [], blocks: [form] };
};

/** Replies to a submission of the previous message's form. Returns undefined when the message is no submission. */
export const submittedForm = async (turn: Turn): Promise<Reply | undefined> => {
  const { question, history, language, actions, effects } = turn;
  const previous = history.findLast((message) => message.role === 'assistant');
  const form = formOf(previous);
  const action = actions.find(({ id }) => id === form?.action_id);
  if (!previous || !form || !action) return undefined;
  const submitted = submittedFields(form, question);
  if (submitted.size === 0) return undefined;

  const all = new Map([...earlierFields(form, history), ...submitted]);
  const values = new Map(form.fields.map((field) => [field, fieldValue(field, all.get(field.key) ?? '', language)]));
  const invalid = form.fields.filter((field) => values.get(field) === undefined && all.get(field.key));
  const missing = form.fields.filter((field) => field.required && !all.get(field.key));
  const sentence = sentences[language];
  if (invalid.length > 0 || missing.length > 0) {
    const requests = [
      ...(missing.length > 0 ? [sentence.formMissing(labels(missing, language))] : []),
      ...(invalid.length > 0 ? [sentence.formInvalid(labels(invalid, language))] : []),
    ];
    return { text: requests.join(' '), outcome: 'form', sources: [], blocks: [form] };
  }
  const data = Object.fromEntries(
    [...values].flatMap(([{ key }, value]) => (value === undefined ? [] : [[key, value] as const])),
  );
  await effects.saveSubmission(action, previous.id ?? '', data);
  return { text: sentence.formSubmitted(all.get('name') ?? ''), outcome: 'answered', sources: [] };
};

const formOf = (message: Message | undefined): FormBlock | undefined => {
  return message?.blocks?.find((block): block is FormBlock => block.type === 'form');
};

/** The fields of an earlier submission of the same form, which was shown again because fields were missing. */
const earlierFields = (form: FormBlock, history: Turn['history']): Map<string, string> => {
  const values = new Map<string, string>();
  for (const message of history.toReversed()) {
    if (message.role === 'assistant' && formOf(message)?.action_id !== form.action_id) break;
    if (message.role !== 'user') continue;
    for (const [key, value] of submittedFields(form, message.content)) if (!values.has(key)) values.set(key, value);
  }
  return values;
};

/** Returns the fields that a message contains, by key. Labels may be in either language and in any order. */
const submittedFields = (form: FormBlock, message: string): Map<string, string> => {
  const labels = form.fields.map(({ label_en, label_ar, key }) => [label_en, label_ar, key]);
  const values = new Map<string, string>();
  for (const { field, value } of formLines(message, labels)) {
    if (field !== null && value !== '') values.set(form.fields[field]!.key, shortened(value, maxValueLength));
  }
  return values;
};

const labels = (fields: FormField[], language: 'en' | 'ar'): string => {
  return fields
    .map((field) => (language === 'ar' && field.label_ar) || field.label_en)
    .join(language === 'ar' ? '، ' : ', ');
};
