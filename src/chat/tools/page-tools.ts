/** Offers the page's own WebMCP tools to the agent, each with the visitor's consent. */
import { isObject, parseJson } from '../../api/decode-values.ts';
import { maxClientTools } from '../../../contract/limits.ts';
import type { JsonObject } from '../../../contract/wire.ts';
import type { StandardSchema } from './client-tool.ts';
import type { ModelContext, PageTool } from './model-context.ts';
import type { OfferedTool, ToolRegistry } from './tool-registry.ts';

/** Validates with an interpreter, because a policy without `unsafe-eval` forbids validators that generate code. */
const schemaOf = (inputSchema: unknown): StandardSchema<JsonObject> => ({
  '~standard': {
    validate: async (value) => {
      const args = { value: value as JsonObject };
      if (inputSchema === undefined) return args;
      const { Validator } = await import('@cfworker/json-schema');
      const isValid = isObject(inputSchema) && new Validator(inputSchema, '2020-12').validate(value).valid;
      return isValid ? args : { issues: [inputSchema] };
    },
  },
});

/** Returns the value behind a result of `executeTool`. Chromium returns `undefined` and texts as they are, not as JSON. */
const toValue = (result: string): unknown => (result === 'undefined' ? undefined : (parseJson(result) ?? result));

const toClientTool = (tool: PageTool, context: ModelContext): OfferedTool => ({
  name: tool.name,
  parameters: schemaOf(tool.inputSchema),
  // The site has not registered this tool for the agent, so the visitor decides about each call.
  confirm: true,
  isPageTool: true,
  run: async (args, { signal }) => toValue(await context.executeTool(tool, args, { signal })),
});

/** Whether the page itself has registered a tool, and not one of its frames. */
const isOwn = ({ window }: PageTool): boolean => window === undefined || window === globalThis.window;

export class PageTools {
  readonly #context: ModelContext;
  readonly #registry: ToolRegistry;
  readonly #stopped = new AbortController();
  /** The tools that were skipped, each logged once. */
  readonly #skipped = new Set<string>();
  #refreshes = 0;

  constructor(context: ModelContext, registry: ToolRegistry) {
    this.#context = context;
    this.#registry = registry;
    context.addEventListener('toolchange', () => void this.refresh(), { signal: this.#stopped.signal });
  }

  /** Reads the page's tools again. They also depend on the registered tools, which come first. */
  async refresh(): Promise<void> {
    const refresh = ++this.#refreshes;
    const found = await this.#context.getTools().catch((error: unknown) => {
      console.error('workspace-chat: the page’s WebMCP tools could not be read.', error);
      return [];
    });
    // A later call reads a newer list.
    if (refresh !== this.#refreshes || this.#stopped.signal.aborted) return;
    this.#removeTools();
    for (const tool of found.filter(isOwn)) this.#offer(tool);
  }

  /** Stops offering the page's tools. */
  stop(): void {
    this.#stopped.abort();
    this.#removeTools();
  }

  #removeTools(): void {
    const { tools } = this.#registry;
    for (const tool of tools) if (tool.isPageTool) tools.delete(tool);
  }

  #offer(tool: PageTool): void {
    const { tools } = this.#registry;
    // A registered tool of the same name is offered already. It may be in the page's list as well.
    if ([...tools].some(({ name }) => name === tool.name)) return;
    try {
      if (tools.size >= maxClientTools) throw new TypeError(`${maxClientTools} tools are offered already.`);
      this.#registry.register(toClientTool(tool, this.#context));
    } catch (error) {
      this.#skip(tool.name, error);
    }
  }

  #skip(name: string, error: unknown): void {
    if (this.#skipped.has(name)) return;
    this.#skipped.add(name);
    console.warn(`workspace-chat: the page’s tool “${name}” is not offered to the agent. ${String(error)}`);
  }
}
