/** Forms: shown as a block, and answered by a message of `Label: value` lines. */
import type { FormBlock, FormField } from '../../contract/wire.ts';
import type { Action, Turn } from './reply-source.ts';
import { fieldValue } from './field-values.ts';
import type { Reply } from './reply.ts';
import { sentences } from './sentences.ts';

type Localised = { en: string; ar: string };
type Message = Turn['history'][number];

export const formReply = ({ language }: Turn, action: Action): Reply => {
  const said = sentences[language];
  const { title, fields } = action.config as unknown as { title?: Localised; fields: FormField[] };
  const form: FormBlock = {
    type: 'form',
    id: action.id,
    action_id: action.id,
    ...(title === undefined ? {} : { title: title[language] }),
    submit_label: said.submit,
    fields,
  };
  const text = `${said.form}\n\n${said.formFields}${labels(fields, language)}.`;
  return { text, outcome: 'form', sources: [], blocks: [form] };
};

/** The visitor's answer to the form of the message before; nothing when the message is something else. */
export const submittedForm = async (turn: Turn): Promise<Reply | undefined> => {
  const { question, history, language, actions, keep } = turn;
  const shown = history.findLast((message) => message.role === 'assistant');
  const form = formOf(shown);
  const action = actions.find(({ id }) => id === form?.action_id);
  if (!shown || !form || !action) return undefined;
  const now = written(form, question);
  if (now.size === 0) return undefined;

  const all = new Map([...earlier(form, history), ...now]);
  const values = new Map(form.fields.map((field) => [field, fieldValue(field, all.get(field.key) ?? '')]));
  const wrong = form.fields.filter((field) => values.get(field) === undefined && all.get(field.key));
  const missing = form.fields.filter((field) => field.required && !all.get(field.key));
  const said = sentences[language];
  if (wrong.length > 0 || missing.length > 0) {
    const asks = [
      ...(missing.length > 0 ? [said.formMissing(labels(missing, language))] : []),
      ...(wrong.length > 0 ? [said.formWrong(labels(wrong, language))] : []),
    ];
    return { text: asks.join(' '), outcome: 'form', sources: [], blocks: [form] };
  }
  const data = Object.fromEntries(
    [...values].flatMap(([{ key }, value]) => (value === undefined ? [] : [[key, value] as const])),
  );
  await keep.submission(action, shown.id ?? '', data);
  return { text: said.formTaken(all.get('name') ?? ''), outcome: 'answered', sources: [] };
};

const formOf = (message: Message | undefined): FormBlock | undefined => {
  return message?.blocks?.find((block): block is FormBlock => block.type === 'form');
};

/** What was answered to the same form before it was shown again for what it lacked. */
const earlier = (form: FormBlock, history: Turn['history']): Map<string, string> => {
  const values = new Map<string, string>();
  for (const message of history.toReversed()) {
    if (message.role === 'assistant' && formOf(message)?.action_id !== form.action_id) break;
    if (message.role !== 'user') continue;
    for (const [key, value] of written(form, message.content)) if (!values.has(key)) values.set(key, value);
  }
  return values;
};

/** The fields a message fills in, by key: labels of either language, in any order. */
const written = (form: FormBlock, message: string): Map<string, string> => {
  const values = new Map<string, string>();
  for (const line of message.split('\n')) {
    for (const field of form.fields) {
      const name = [field.label_en, field.label_ar, field.key].find((each) => startsWithLabel(line, each));
      const value =
        name === undefined
          ? ''
          : line
              .trimStart()
              .slice(name.length)
              .replace(/^\s*[:：]/, '');
      if (value.trim() !== '') values.set(field.key, value.trim().slice(0, 1000));
    }
  }
  return values;
};

const startsWithLabel = (line: string, name: string): boolean => {
  const start = line.trimStart();
  if (name === '' || start.slice(0, name.length).toLowerCase() !== name.toLowerCase()) return false;
  return /^\s*[:：]/.test(start.slice(name.length));
};

const labels = (fields: FormField[], language: 'en' | 'ar'): string => {
  return fields
    .map((field) => (language === 'ar' && field.label_ar) || field.label_en)
    .join(language === 'ar' ? '، ' : ', ');
};
