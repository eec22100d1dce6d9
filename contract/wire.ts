/**
 * The Workspace Assistant API v2 as it travels: types only, with the server's own names.
 * The widget decodes into them and the local service answers with them: one vocabulary for both sides.
 */

/** An open enumeration: the known values, and any string a newer service may send. */
export type Open<Known extends string> = Known | (string & {});

export type ConversationStateName = 'ai_active' | 'handoff_requested' | 'human_active' | 'closed';
export type Outcome = 'answered' | 'refused' | 'form' | 'handoff' | 'limit' | 'tool_failed';
export type ActorType = 'visitor' | 'ai' | 'owner';
export type FieldKind = 'text' | 'email' | 'phone' | 'number' | 'date' | 'select';
export type Tone = 'info' | 'success' | 'warning' | 'danger';
export type Availability = 'in_stock' | 'out_of_stock' | 'preorder';

/** Text in one language, or one for each. */
export type LocalisedText = string | { en?: string; ar?: string };

/** A JSON object. */
export type JsonObject = { [key: string]: unknown };

/** A passage's origin: `file_id` and `filename` always, a page to open where there is one. */
export interface Source {
  file_id: string;
  filename: string;
  title?: string;
  /** An https URL. */
  url?: string;
}

export interface FormField {
  key: string;
  label_en: string;
  label_ar: string;
  kind: Open<FieldKind>;
  options: string[];
  required: boolean;
  placeholder?: LocalisedText;
}

export interface FormBlock {
  type: 'form';
  id?: string;
  title?: LocalisedText;
  submit_label?: LocalisedText;
  action_id?: string;
  fields: FormField[];
}

/** `start` and `end` are ISO 8601 with an offset. */
export interface OpenTime {
  start: string;
  end?: string;
}

export interface OpenTimesBlock {
  type: 'open_times';
  id?: string;
  title?: LocalisedText;
  /** The place's IANA time zone. */
  timezone: string;
  times: OpenTime[];
}

export interface Option {
  label: LocalisedText;
  /** Sent instead of the label. */
  value?: string;
  description?: LocalisedText;
}

export interface OptionsBlock {
  type: 'options';
  id?: string;
  prompt?: LocalisedText;
  options: Option[];
}

export interface StatusCardBlock {
  type: 'status_card';
  id?: string;
  title: LocalisedText;
  status: LocalisedText;
  tone?: Open<Tone>;
  rows?: { label: LocalisedText; value: LocalisedText }[];
  /** ISO 8601. */
  updated_at?: string;
  url?: string;
}

export interface Product {
  id?: string;
  name: LocalisedText;
  description?: LocalisedText;
  price?: number;
  /** ISO 4217. */
  currency?: string;
  image_url?: string;
  url?: string;
  availability?: Open<Availability>;
}

export interface ProductsBlock {
  type: 'products';
  id?: string;
  items: Product[];
}

export interface LinkItem {
  label: LocalisedText;
  url: string;
  description?: LocalisedText;
}

export interface LinksBlock {
  type: 'links';
  id?: string;
  links: LinkItem[];
}

/** What the decoder makes of a block whose type it does not know, or whose fields do not fit its type. */
export interface UnknownBlock {
  type: 'unknown';
  /** The type as it was sent. */
  name: string;
  id?: string;
  original: JsonObject;
}

export type KnownBlock = FormBlock | OpenTimesBlock | OptionsBlock | StatusCardBlock | ProductsBlock | LinksBlock;
export type Block = KnownBlock | UnknownBlock;

/** The message of a chat answer. */
export interface ChatMessageOut {
  id: string;
  role: Open<'user' | 'assistant'>;
  content: string;
  actor_type?: Open<ActorType>;
  blocks?: Block[] | null;
  lang?: string;
  /** ISO 8601. */
  created_at?: string;
}

/** A message as the conversation's message list, the webhooks and the relay of a person's replies carry it. */
export interface Message extends ChatMessageOut {
  outcome?: Open<Outcome> | null;
  refused?: boolean;
  sources?: Source[];
  feedback?: { rating: 1 | -1; comment?: string } | null;
}

/** The answer to a chat call, and the data of the stream's `done`. */
export interface ChatResponse {
  conversation_id: string;
  /** Publishable keys only, on the answer that starts a conversation; shown once. */
  conversation_token?: string;
  /** Null when a person has taken over. */
  message: ChatMessageOut | null;
  outcome?: Open<Outcome> | null;
  refused: boolean;
  sources: Source[];
  state?: Open<ConversationStateName>;
  lead_captured: boolean;
  limit?: Open<'monthly'> | null;
  degraded: boolean;
}

/** A visitor's identity, proven by the site's server: a JWT, or the user's id with its HMAC. */
export type ContactProof = { token: string } | { user_id: string; user_hash: string };

export interface ChatRequest {
  messages: { role: 'user'; content: string }[];
  conversation_id?: string;
  conversation_token?: string;
  stream?: boolean;
  locale?: 'en' | 'ar';
  contact?: ContactProof;
  /** snake_case names, 20 at most, only on a streamed call. */
  client_tools?: string[];
}

/** The data of the stream's `client_tool`: the agent asks the page to run one of its tools. */
export interface ClientToolCall {
  conversation_id: string;
  conversation_token?: string;
  call_id: string;
  name: string;
  arguments: JsonObject;
  timeout_ms: number;
}

export interface ToolResultRequest {
  conversation_id: string;
  conversation_token?: string;
  call_id: string;
  ok: boolean;
  /** At most 8,000 characters as JSON. */
  result?: JsonObject;
  /** At most 120 characters. */
  error?: string;
}

export interface ErrorDetail {
  field: string;
  code: string;
  message: string;
}

/** The one shape of every error (the contract's "Errors"). */
export interface ErrorBody {
  error: {
    code: string;
    message: string;
    request_id: string;
    details?: ErrorDetail[] | string;
    required_scope?: string;
    required_plan?: string;
    limit_chars?: number;
    used_chars?: number;
  };
}
