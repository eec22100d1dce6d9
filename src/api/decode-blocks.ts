/** Turns an answer's `blocks` into typed ones; what does not fit its type is kept whole as an unknown block. */
import {
  compact,
  isObject,
  toObject,
  toObjects,
  toOptionalLocalised,
  toOptionalNumber,
  toOptionalText,
  toText,
  toTexts,
} from './decode-values.ts';
import type { Block, FormField, JsonObject, KnownBlock } from '../../contract/wire.ts';

const label = (item: JsonObject) => toOptionalLocalised(item['label'] ?? item['name'] ?? item['title']);

const decodeField = (item: JsonObject): FormField | null => {
  const key = toText(item['key'] ?? item['name']);
  if (!key) return null;
  const both = label(item);
  const one = typeof both === 'string' ? both : undefined;
  const each = toObject(both);
  return compact({
    key,
    label_en: toText(item['label_en']) || one || toText(each['en']) || key,
    label_ar: toText(item['label_ar']) || one || toText(each['ar']),
    kind: toText(item['kind'] ?? item['type']) || 'text',
    options: toTexts(item['options'] ?? item['enum']),
    required: item['required'] === true,
    placeholder: toOptionalLocalised(item['placeholder']),
  });
};

/** A form's fields as the contract's lead fields, or out of a JSON Schema's properties. */
const decodeFields = (data: JsonObject): FormField[] => {
  const schema = toObject(data['input_schema'] ?? data['schema']);
  const required = toTexts(schema['required']);
  const formats: Record<string, string> = { email: 'email', date: 'date', phone: 'phone', tel: 'phone' };
  const items = Array.isArray(data['fields'])
    ? toObjects(data['fields'])
    : Object.entries(toObject(schema['properties'])).map(([key, value]) => {
        const property = toObject(value);
        const type = toText(property['type']);
        return {
          key,
          label: property['title'],
          kind: Array.isArray(property['enum'])
            ? 'select'
            : (formats[toText(property['format'])] ??
              (type === 'integer' ? 'number' : type === 'number' ? type : 'text')),
          options: property['enum'],
          required: required.includes(key),
        };
      });
  return items.map(decodeField).filter((field) => field !== null);
};

type Decoder = (data: JsonObject) => Omit<KnownBlock, 'id'> | null;

const decoders: Record<KnownBlock['type'], Decoder> = {
  form(data) {
    const fields = decodeFields(data);
    if (fields.length === 0) return null;
    return {
      type: 'form',
      title: toOptionalLocalised(data['title']),
      submit_label: toOptionalLocalised(data['submit_label']),
      action_id: toOptionalText(data['action_id']),
      fields,
    };
  },
  open_times(data) {
    const times = toObjects(data['times'] ?? data['slots'])
      .map(({ start, end }) => compact({ start: toText(start), end: toOptionalText(end) }))
      .filter(({ start }) => !Number.isNaN(Date.parse(start)));
    if (times.length === 0) return null;
    return { type: 'open_times', title: toOptionalLocalised(data['title']), timezone: toText(data['timezone']), times };
  },
  options(data) {
    const options = toObjects(data['options']).flatMap((item) => {
      const text = label(item);
      if (!text) return [];
      const { value, description } = item;
      return compact({ label: text, value: toOptionalText(value), description: toOptionalLocalised(description) });
    });
    if (options.length === 0) return null;
    return { type: 'options', prompt: toOptionalLocalised(data['prompt'] ?? data['title']), options };
  },
  status_card(data) {
    const title = label(data);
    const status = toOptionalLocalised(data['status']);
    if (!title && !status) return null;
    return {
      type: 'status_card',
      title: title ?? '',
      status: status ?? '',
      tone: toOptionalText(data['tone']),
      rows: toObjects(data['rows']).map((row) => ({
        label: label(row) ?? '',
        value: toOptionalLocalised(row['value']) ?? '',
      })),
      updated_at: toOptionalText(data['updated_at']),
      url: toOptionalText(data['url']),
    };
  },
  products(data) {
    const items = toObjects(data['items'] ?? data['products']).flatMap((item) => {
      const name = toOptionalLocalised(item['name'] ?? item['label'] ?? item['title']);
      if (!name) return [];
      return compact({
        id: toOptionalText(item['id']),
        name,
        description: toOptionalLocalised(item['description']),
        price: toOptionalNumber(item['price']),
        currency: toOptionalText(item['currency']),
        image_url: toOptionalText(item['image_url']),
        url: toOptionalText(item['url']),
        availability: toOptionalText(item['availability']),
      });
    });
    return items.length > 0 ? { type: 'products', items } : null;
  },
  links(data) {
    const links = toObjects(data['links'] ?? data['items']).flatMap((item) => {
      const url = toText(item['url']);
      if (!url) return [];
      return compact({ label: label(item) ?? url, url, description: toOptionalLocalised(item['description']) });
    });
    return links.length > 0 ? { type: 'links', links } : null;
  },
};

/** One block; null for what is no object at all. */
const decodeBlock = (value: unknown): Block | null => {
  if (!isObject(value)) return null;
  const name = toText(value['type'] ?? value['kind']);
  const id = toOptionalText(value['id']);
  const data = { ...toObject(value['data']), ...value };
  const known = Object.hasOwn(decoders, name) ? decoders[name as KnownBlock['type']](data) : null;
  if (known) return compact({ ...known, id } as KnownBlock);
  return compact({ type: 'unknown' as const, name, id, original: data });
};

/** The blocks of an answer; undefined when it carries none. */
export const decodeBlocks = (value: unknown): Block[] | undefined => {
  if (!Array.isArray(value)) return undefined;
  const blocks = value.map(decodeBlock).filter((block) => block !== null);
  return blocks.length > 0 ? blocks : undefined;
};
