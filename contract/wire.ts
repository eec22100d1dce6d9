/**
 * The types on the wire of the Workspace Assistant API v2, with the server's own names.
 * The widget decodes responses into them, and the service responds with them.
 */

/** An open enumeration: the known values, and any string a newer service may send. */
export type Open<Known extends string> = Known | (string & {});

export type ConversationStateName = 'ai_active' | 'handoff_requested' | 'human_active' | 'closed';
export type Outcome = 'answered' | 'refused' | 'form' | 'handoff' | 'limit' | 'tool_failed';
export type ActorType = 'visitor' | 'ai' | 'owner';
export type FieldKind = 'text' | 'email' | 'phone' | 'number' | 'date' | 'select';
export type Tone = 'info' | 'success' | 'warning' | 'danger';
export type Availability = 'in_stock' | 'out_of_stock' | 'preorder';

/** A text in one language, or in each of them. */
export type LocalizedText = string | { en?: string; ar?: string };

/** A JSON object. */
export type JsonObject = { [key: string]: unknown };

/** The origin of a passage: always `file_id` and `filename`, and a URL where the source has a page. */
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
  placeholder?: LocalizedText;
}

export interface FormBlock {
  type: 'form';
  id?: string;
  title?: LocalizedText;
  submit_label?: LocalizedText;
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
  title?: LocalizedText;
  /** The IANA time zone of the place where the event happens. */
  timezone: string;
  times: OpenTime[];
}

export interface Option {
  label: LocalizedText;
  /** The text that is sent instead of the label. */
  value?: string;
  description?: LocalizedText;
}

export interface OptionsBlock {
  type: 'options';
  id?: string;
  prompt?: LocalizedText;
  options: Option[];
}

export interface StatusCardBlock {
  type: 'status_card';
  id?: string;
  title: LocalizedText;
  status: LocalizedText;
  tone?: Open<Tone>;
  rows?: { label: LocalizedText; value: LocalizedText }[];
  /** ISO 8601. */
  updated_at?: string;
  url?: string;
}

export interface Product {
  id?: string;
  name: LocalizedText;
  description?: LocalizedText;
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
  label: LocalizedText;
  url: string;
  description?: LocalizedText;
}

export interface LinksBlock {
  type: 'links';
  id?: string;
  links: LinkItem[];
}

/** A block whose type the decoder does not know, or whose fields do not fit its type. */
export interface UnknownBlock {
  type: 'unknown';
  /** The type as the service sent it. */
  name: string;
  id?: string;
  original: JsonObject;
}

export type KnownBlock = FormBlock | OpenTimesBlock | OptionsBlock | StatusCardBlock | ProductsBlock | LinksBlock;
export type Block = KnownBlock | UnknownBlock;

/** The message of a chat response. */
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

/** A message as the message list, the webhooks and the relay of team replies carry it. */
export interface Message extends ChatMessageOut {
  outcome?: Open<Outcome> | null;
  refused?: boolean;
  sources?: Source[];
  feedback?: { rating: 1 | -1; comment?: string } | null;
}

/** A message of the relay of team replies, which may name the person who wrote it. */
export interface RelayedMessage extends Message {
  author?: { name: string; avatar?: string };
}

/** A chat response, and the data of the stream's `done` event. */
export interface ChatResponse {
  conversation_id: string;
  /** Sent to publishable keys only, in the response that starts a conversation. */
  conversation_token?: string;
  /** Null while a team member has taken over. */
  message: ChatMessageOut | null;
  outcome?: Open<Outcome> | null;
  refused: boolean;
  sources: Source[];
  state?: Open<ConversationStateName>;
  lead_captured: boolean;
  limit?: Open<'monthly'> | null;
  degraded: boolean;
}

/** A visitor's proof of identity, made by the site's server: a JWT, or the user's id with its HMAC. */
export type ContactProof = { token: string } | { user_id: string; user_hash: string };

export interface ChatRequest {
  messages: { role: 'user'; content: string }[];
  conversation_id?: string;
  conversation_token?: string;
  stream?: boolean;
  locale?: 'en' | 'ar';
  contact?: ContactProof;
  /** Names in snake_case, 20 at most, on streamed calls only. */
  client_tools?: string[];
}

/** The data of the stream's `client_tool` event: the agent calls a client tool of the page. */
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

/** The shape of every error (the contract's "Errors"). */
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
