/** A client tool, as a page registers it. */
import type { JsonObject, LocalizedText } from '../../../contract/wire.ts';

/** The parts of the Standard Schema interfaces (zod, valibot, …) that are used here. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    validate(value: unknown): StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly output: Output } | undefined;
    /** Converts the schema to JSON Schema. Libraries without Standard JSON Schema have none. */
    readonly jsonSchema?: { input(options: { target: 'draft-2020-12' }): Record<string, unknown> } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly unknown[] };

export interface ToolContext {
  /** Aborts when the call's timeout has passed, and when the visitor stops the reply. */
  signal: AbortSignal;
  callId: string;
  conversationId: string;
}

export interface ClientTool<Args = JsonObject> {
  /** The name in snake_case, as the agent's owner declared it. */
  name: string;
  description?: string;
  /** What a visitor reads in place of the name, such as “Order status”. By default the description. */
  title?: LocalizedText;
  /** What a visitor reads in place of the arguments' names, when asked for consent. */
  labels?: Readonly<Record<string, LocalizedText>>;
  /** Validates the agent's arguments before the tool runs. */
  parameters?: StandardSchema<Args>;
  /** Asks the visitor first, with the standard question or with the returned one. */
  confirm?: true | ((args: Args) => string);
  /** The timeout in milliseconds. The call's own timeout applies when it is shorter. */
  timeoutMs?: number;
  /** Returns a JSON object of at most 8,000 characters, or a promise of one. */
  run(args: Args, context: ToolContext): unknown;
}
