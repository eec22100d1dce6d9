/** What a test scripts: the replies of the fake service, and its faults. */
import type { Block, ChatResponse, JsonObject, Source } from '../../../contract/wire.ts';

/** A call of a client tool, which the fake service makes before it replies. */
export interface FakeToolCall {
  name: string;
  arguments?: JsonObject;
  /** The timeout in milliseconds. 15,000 by default. */
  timeoutMs?: number;
}

/** The result of a client tool, as the page posted it. */
export interface FakeToolResult {
  name: string;
  ok: boolean;
  result?: JsonObject;
  error?: string;
}

/** A reply, as a test scripts it. */
export interface FakeReply {
  /** The Markdown text. A function receives the results of `tools`. */
  text?: string | ((results: readonly FakeToolResult[]) => string);
  blocks?: Block[];
  sources?: Source[];
  /** Called one after another, as long as the page offers a tool of that name. */
  tools?: FakeToolCall[];
  /** The reply stays unfinished after its text until this promise resolves, so that a test sees it streaming. */
  until?: Promise<unknown>;
  /** Other fields of the response, such as `{state: 'human_active'}` or `{lead_captured: true}`. */
  fields?: Partial<ChatResponse>;
}

/**
 * A fault:
 * - `offline`: the connection fails, and no response arrives;
 * - `silent`: no response arrives until the widget gives up;
 * - `interrupted`: the connection fails after the text;
 * - `rejected`: the service rejects the message with an error of the contract.
 */
export type FakeFault =
  | { fault: 'offline' }
  | { fault: 'silent' }
  | { fault: 'interrupted'; text?: string }
  | {
      fault: 'rejected';
      /** An HTTP status from 400 to 599. */
      status: number;
      /** A code of the contract's table, such as `rate_limited`. */
      code: string;
      /** Seconds, sent as `Retry-After`. */
      retryAfter?: number;
    };

/** A text, a reply with more than a text, or a fault. */
export type FakeScript = string | FakeReply | FakeFault;
