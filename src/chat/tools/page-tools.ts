/** Offers the page's own WebMCP tools to the agent, each with the visitor's consent. */
import { Validator } from '@cfworker/json-schema';
import { compact, isObject, parseJson } from '../../api/decode-values.ts';
import { maxClientTools } from '../../../contract/limits.ts';
import type { JsonObject } from '../../../contract/wire.ts';
import type { ClientTool, StandardSchema } from './client-tool.ts';
import type { ModelContext, PageTool } from './model-context.ts';
import { isToolName, type ToolRegistry } from './tool-registry.ts';

/** Validates with an interpreter, because a policy without `unsafe-eval` forbids validators that generate code. */
const schemaOf = (inputSchema: unknown): StandardSchema<JsonObject> => ({
  '~standard': {
    validate: async (value) => {
      const args = { value: value as JsonObject };
      if (inputSchema === undefined) return args;
      const isValid = isObject(inputSchema) && new Validator(inputSchema, '2020-12').validate(value).valid;
      return isValid ? args : { issues: [inputSchema] };
    },
  },
});

/** Returns the value behind a result of `executeTool`. Chromium returns `undefined` and texts as they are, not as JSON. */
const toValue = (result: string): unknown => (result === 'undefined' ? undefined : (parseJson(result) ?? result));

const toClientTool = (tool: PageTool, context: ModelContext): ClientTool => ({
  ...compact({ name: tool.name, title: tool.title, description: tool.description }),
  parameters: schemaOf(tool.inputSchema),
  // The site has not registered this tool for the agent, so the visitor decides about each call.
  confirm: true,
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
    const registered = new Set(this.#registry.tools.map(({ name }) => name));
    const offered: ClientTool[] = [];
    for (const tool of found.filter(isOwn)) {
      // A registered tool of the same name is offered already. It may be in the page's list as well.
      if (registered.has(tool.name)) continue;
      if (!isToolName(tool.name)) this.#skip(tool, 'Its name is not in snake_case.');
      else if (registered.size + offered.length >= maxClientTools)
        this.#skip(tool, `${maxClientTools} tools are offered already.`);
      else offered.push(toClientTool(tool, this.#context));
    }
    this.#registry.setPageTools(offered);
  }

  /** Stops offering the page's tools. */
  stop(): void {
    this.#stopped.abort();
    this.#registry.setPageTools([]);
  }

  #skip({ name }: PageTool, reason: string): void {
    if (this.#skipped.has(name)) return;
    this.#skipped.add(name);
    console.warn(`workspace-chat: the page’s tool “${name}” is not offered to the agent. ${reason}`);
  }
}
