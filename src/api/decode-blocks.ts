/** Decodes the blocks of a reply. A block that does not fit its type is kept as an unknown block. */
import {
  compact,
  isObject,
  toObjects,
  toOptionalLocalized,
  toOptionalNumber,
  toOptionalText,
  toOptionalTime,
  toText,
  toTexts,
} from './decode-values.ts';
import type { Block, FormField, JsonObject, KnownBlock } from '../../contract/wire.ts';

const decodeFields = (value: unknown): FormField[] =>
  toObjects(value).flatMap((item) => {
    const key = toText(item['key']);
    if (!key) return [];
    return compact({
      key,
      label_en: toText(item['label_en']) || key,
      label_ar: toText(item['label_ar']),
      kind: toText(item['kind']) || 'text',
      options: toTexts(item['options']),
      required: item['required'] === true,
      placeholder: toOptionalLocalized(item['placeholder']),
    });
  });

type Decoder = (data: JsonObject) => Omit<KnownBlock, 'id'> | null;

const decoders: Record<KnownBlock['type'], Decoder> = {
  form(data) {
    const fields = decodeFields(data['fields']);
    if (fields.length === 0) return null;
    return {
      type: 'form',
      title: toOptionalLocalized(data['title']),
      submit_label: toOptionalLocalized(data['submit_label']),
      action_id: toOptionalText(data['action_id']),
      fields,
    };
  },
  open_times(data) {
    const times = toObjects(data['times']).flatMap((item) => {
      const start = toOptionalTime(item['start']);
      return start ? compact({ start, end: toOptionalTime(item['end']) }) : [];
    });
    if (times.length === 0) return null;
    return { type: 'open_times', title: toOptionalLocalized(data['title']), timezone: toText(data['timezone']), times };
  },
  options(data) {
    const options = toObjects(data['options']).flatMap((item) => {
      const text = toOptionalLocalized(item['label']);
      if (!text) return [];
      const { value, description } = item;
      return compact({ label: text, value: toOptionalText(value), description: toOptionalLocalized(description) });
    });
    if (options.length === 0) return null;
    return { type: 'options', prompt: toOptionalLocalized(data['prompt']), options };
  },
  status_card(data) {
    const title = toOptionalLocalized(data['title']);
    const status = toOptionalLocalized(data['status']);
    if (!title && !status) return null;
    return {
      type: 'status_card',
      title: title ?? '',
      status: status ?? '',
      tone: toOptionalText(data['tone']),
      rows: toObjects(data['rows']).map((row) => ({
        label: toOptionalLocalized(row['label']) ?? '',
        value: toOptionalLocalized(row['value']) ?? '',
      })),
      updated_at: toOptionalTime(data['updated_at']),
      url: toOptionalText(data['url']),
    };
  },
  products(data) {
    const items = toObjects(data['items']).flatMap((item) => {
      const name = toOptionalLocalized(item['name']);
      if (!name) return [];
      return compact({
        id: toOptionalText(item['id']),
        name,
        description: toOptionalLocalized(item['description']),
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
    const links = toObjects(data['links']).flatMap((item) => {
      const url = toText(item['url']);
      if (!url) return [];
      return compact({
        label: toOptionalLocalized(item['label']) ?? url,
        url,
        description: toOptionalLocalized(item['description']),
      });
    });
    return links.length > 0 ? { type: 'links', links } : null;
  },
};

/** Decodes one block. Returns null for a value that is not an object. */
const decodeBlock = (value: unknown): Block | null => {
  if (!isObject(value)) return null;
  const name = toText(value['type']);
  const id = toOptionalText(value['id']);
  const known = Object.hasOwn(decoders, name) ? decoders[name as KnownBlock['type']](value) : null;
  if (known) return compact({ ...known, id } as KnownBlock);
  return compact({ type: 'unknown' as const, name, id, original: value });
};

/** Decodes the blocks of a reply. Returns undefined when there are none. */
export const decodeBlocks = (value: unknown): Block[] | undefined => {
  if (!Array.isArray(value)) return undefined;
  const blocks = value.map(decodeBlock).filter((block) => block !== null);
  return blocks.length > 0 ? blocks : undefined;
};
