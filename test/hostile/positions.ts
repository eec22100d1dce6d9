/** The positions in which a service, a model or a site can place a text that a stranger has written. */

type Json = Record<string, unknown>;

/** What a payload adds to a reply. */
export interface Content {
  texts?: readonly string[];
  sources?: readonly Json[];
  blocks?: readonly Json[];
  calls?: readonly Json[];
}

const localized = (text: string) => ({ en: text, ar: text });

/** The positions of a streamed reply. Each returns what carries the payload. */
export const replyPositions: Record<string, (payload: string) => Content> = {
  'the text of a reply': (payload) => ({
    texts: [`${payload}\n\n`, `Look: ${payload} and [${payload}](${payload})\n\n`],
  }),
  'sources: name, title, address': (payload) => ({
    sources: [
      { file_id: payload, filename: payload, title: payload, url: payload },
      { file_id: 'f', filename: 'a.pdf', url: `https://a.example/${payload}` },
    ],
  }),
  'forms: title, keys, labels, choices': (payload) => ({
    blocks: [
      {
        type: 'form',
        id: payload,
        title: payload,
        submit_label: localized(payload),
        action_id: payload,
        fields: [
          { key: payload, label_en: payload, label_ar: payload, kind: 'text', required: true, placeholder: payload },
          { key: `${payload}-2`, label_en: 'Choose', label_ar: 'Choose', kind: 'select', options: [payload, 'B'] },
          { key: `${payload}-3`, label_en: 'Other', label_ar: 'Other', kind: payload },
        ],
      },
    ],
  }),
  'open times: title, zone, times': (payload) => ({
    blocks: [
      {
        type: 'open_times',
        id: payload,
        title: payload,
        timezone: payload,
        times: [{ start: '2026-12-12T18:00:00+04:00', end: payload }],
      },
      { type: 'open_times', title: 'Times', timezone: 'Asia/Muscat', times: [{ start: payload }] },
    ],
  }),
  'options: prompt, label, value': (payload) => ({
    blocks: [
      {
        type: 'options',
        id: payload,
        prompt: payload,
        options: [{ label: payload, value: payload, description: localized(payload) }],
      },
    ],
  }),
  'status cards: title, tone, rows, address': (payload) => ({
    blocks: [
      {
        type: 'status_card',
        id: payload,
        title: payload,
        status: payload,
        tone: payload,
        rows: [{ label: payload, value: localized(payload) }],
        updated_at: payload,
        url: payload,
      },
    ],
  }),
  'products: name, price, picture, address': (payload) => ({
    blocks: [
      {
        type: 'products',
        id: payload,
        items: [
          {
            id: payload,
            name: payload,
            description: payload,
            price: 1,
            currency: payload,
            image_url: payload,
            url: payload,
            availability: payload,
          },
          { name: 'Cup', image_url: `https://a.example/${payload}`, url: `https://a.example/${payload}` },
        ],
      },
    ],
  }),
  'links: label, address': (payload) => ({
    blocks: [
      {
        type: 'links',
        id: payload,
        links: [
          { label: payload, url: payload, description: payload },
          { label: payload, url: 'https://a.example/' },
          { label: 'Page', url: `https://a.example/${payload}` },
        ],
      },
    ],
  }),
  'blocks of an unknown type': (payload) => ({
    blocks: [
      {
        type: payload,
        id: payload,
        title: payload,
        url: payload,
        items: [{ label: payload, href: payload }],
        [payload]: payload,
      },
    ],
  }),
  'client tools: name, arguments': (payload) => ({
    calls: [
      { call_id: `${payload}-1`, name: payload, arguments: { [payload]: payload }, timeout_ms: 30_000 },
      { call_id: `${payload}-2`, name: 'ask', arguments: { [payload]: payload, note: payload }, timeout_ms: 30_000 },
    ],
  }),
};

/** The tool of the page that the calls name. It asks the visitor, who sees the arguments. */
export const tool = {
  name: 'ask',
  title: 'Ask',
  description: 'Asks the visitor.',
};

/** The other positions, each with a turn, a message or an update of its own for each payload. */
export const otherPositions = {
  person: 'messages of the team: text, name, picture',
  error: 'errors: code, message, request id',
  field: 'other fields of a response',
  attribute: 'attributes and texts of the element',
} as const;

export const positionNames = [...Object.keys(replyPositions), ...Object.values(otherPositions)];

/** A response whose fields all carry the payload. */
export const responseOf = (payload: string): Json => ({
  conversation_id: payload,
  conversation_token: payload,
  message: {
    id: payload,
    role: 'assistant',
    content: 'Hello',
    actor_type: payload,
    lang: payload,
    created_at: payload,
  },
  outcome: payload,
  refused: true,
  sources: [],
  state: payload,
  limit: payload,
  lead_captured: true,
  degraded: true,
});
