/** Forms: shown as a block, and answered by a message of `Label: value` lines. */
import type { FormBlock, FormField } from '../../../src/api/wire.ts';
import type { Action, Turn } from './answerer.ts';
import type { Reply } from './reply.ts';
import { sentences } from './sentences.ts';

type Localised = { en: string; ar: string };

export function offerForm({ language }: Turn, action: Action): Reply {
  const said = sentences[language];
  const { title, fields } = action.config as unknown as { title: Localised; fields: FormField[] };
  const labels = fields.map((field) => label(field, language)).join(language === 'ar' ? '، ' : ', ');
  const form: FormBlock = {
    type: 'form',
    id: action.id,
    action_id: action.id,
    title: title[language],
    submit_label: said.submit,
    fields,
  };
  return { text: `${said.form}\n\n${said.formFields}${labels}.`, outcome: 'form', sources: [], blocks: [form] };
}

/** The visitor's answer to the form of the message before; nothing when the message is something else. */
export function filledForm({ question, history, language }: Turn): Reply | undefined {
  const form = history
    .findLast((message) => message.role === 'assistant')
    ?.blocks?.find((block): block is FormBlock => block.type === 'form');
  if (!form) return undefined;
  const values = formValues(form, question);
  if (values.size === 0) return undefined;
  const said = sentences[language];
  const missing = form.fields.filter((field) => field.required && !values.get(field.key));
  if (missing.length > 0) {
    const labels = missing.map((field) => label(field, language)).join(language === 'ar' ? '، ' : ', ');
    return { text: said.formMissing(labels), outcome: 'form', sources: [], blocks: [form] };
  }
  return { text: said.formTaken(values.get('name') ?? ''), outcome: 'answered', sources: [] };
}

/** The fields a message fills in, by key: labels of either language, in any order. */
function formValues(form: FormBlock, message: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of message.split('\n')) {
    const [, name, value] = /^\s*([^:：]+?)\s*[:：]\s*(.*)$/.exec(line) ?? [];
    const field = form.fields.find(({ label_en, label_ar, key }) =>
      [label_en, label_ar, key].some((each) => each.toLowerCase() === name?.toLowerCase()),
    );
    if (field && value) values.set(field.key, value.trim());
  }
  return values;
}

function label(field: FormField, language: 'en' | 'ar'): string {
  return (language === 'ar' && field.label_ar) || field.label_en;
}
