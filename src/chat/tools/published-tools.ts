/** Registers the widget's client tools with the page's WebMCP, so that other agents, such as the browser's, can call them. */
import type { Clock } from '../../api/clock.ts';
import { compact, toObject } from '../../api/decode-values.ts';
import { defaultToolTimeoutMs } from '../../../contract/limits.ts';
import type { JsonObject } from '../../../contract/wire.ts';
import type { ClientTool } from './client-tool.ts';
import type { ModelContext } from './model-context.ts';
import { runTool, ToolFailure, type ToolRunHost } from './run-tool.ts';

export interface PublishedToolsOptions {
  context: ModelContext;
  clock: Clock;
  createId: () => string;
  conversationId: () => string | null;
  /** Asks for the visitor's consent to a call. `question` is null for the standard question. */
  askVisitor(tool: ClientTool, ...question: Parameters<ToolRunHost['askVisitor']>): Promise<boolean>;
}

/** Returns the JSON Schema of the arguments if the schema's library can convert it. */
const inputSchemaOf = ({ parameters }: ClientTool): Record<string, unknown> | undefined => {
  try {
    return parameters?.['~standard'].jsonSchema?.input({ target: 'draft-2020-12' });
  } catch {
    // The schema has parts that JSON Schema cannot express, such as a transformation.
    return undefined;
  }
};

export class PublishedTools {
  readonly #options: PublishedToolsOptions;
  readonly #published = new Map<ClientTool, AbortController>();

  constructor(options: PublishedToolsOptions) {
    this.#options = options;
  }

  /**
   * Registers the tools that are new, and unregisters those that are missing.
   * @returns Whether the tools have changed.
   */
  update(tools: readonly ClientTool[]): boolean {
    const removed = [...this.#published.keys()].filter((tool) => !tools.includes(tool));
    const added = tools.filter((tool) => !this.#published.has(tool));
    for (const tool of removed) {
      this.#published.get(tool)?.abort();
      this.#published.delete(tool);
    }
    for (const tool of added) void this.#publish(tool);
    return removed.length + added.length > 0;
  }

  async #publish(tool: ClientTool): Promise<void> {
    const { name, title, description } = tool;
    const registration = new AbortController();
    this.#published.set(tool, registration);
    const published = compact({
      name,
      title: typeof title === 'object' ? title.en : title,
      description: description || name.replaceAll('_', ' '),
      inputSchema: inputSchemaOf(tool),
      execute: (args: unknown, { signal }: { signal?: AbortSignal } = {}) =>
        this.#run(tool, args, signal ?? new AbortController().signal),
    });
    try {
      await this.#options.context.registerTool(published, { signal: registration.signal });
    } catch (error) {
      // For example, the page has registered a tool of this name itself.
      console.warn(`workspace-chat: “${name}” could not be registered with WebMCP.`, error);
    }
  }

  async #run(tool: ClientTool, args: unknown, signal: AbortSignal): Promise<JsonObject> {
    const { clock, createId, conversationId, askVisitor } = this.#options;
    const call = {
      arguments: toObject(args),
      call_id: createId(),
      conversation_id: conversationId() ?? '',
      timeout_ms: defaultToolTimeoutMs,
    };
    try {
      return await runTool(tool, call, {
        clock,
        signal,
        askVisitor: (question, values) => askVisitor(tool, question, values),
        onRunning: () => {},
      });
    } catch (error) {
      if (error instanceof ToolFailure || signal.aborted) throw error;
      console.error('workspace-chat: a client tool failed', error);
    }
    // The page's own error message may hold private data.
    throw new ToolFailure('tool_error');
  }
}
