/** The client tools that the agent may call: those that the page has registered, and its WebMCP tools. */
import { clientToolNamePattern, maxClientToolNameLength, maxClientTools } from '../../../contract/limits.ts';
import type { ClientTool } from './client-tool.ts';

export const isToolName = (name: unknown): name is string =>
  typeof name === 'string' && clientToolNamePattern.test(name) && name.length <= maxClientToolNameLength;

export class ToolRegistry {
  /** The page's WebMCP tools. They get the places that are left. */
  pageTools: readonly ClientTool[] = [];
  /** The registrations by name. Each is an object of its own, because the same tool may be registered again. */
  readonly #registrations = new Map<string, { readonly tool: ClientTool }>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The tools that the page has registered. */
  get tools(): readonly ClientTool[] {
    return [...this.#registrations.values()].map(({ tool }) => tool);
  }

  setPageTools(tools: readonly ClientTool[]): void {
    this.pageTools = tools;
    this.#onChange();
  }

  /**
   * Registers a tool. A later tool of the same name replaces it.
   * @returns An unregister function.
   * @throws {TypeError} When the name is not in snake_case, `run` is missing, `parameters` is no Standard Schema, or 20 tools are
   *   registered already.
   */
  register<Args>(tool: ClientTool<Args>, { signal }: { signal?: AbortSignal } = {}): () => void {
    const { name, run, parameters } = tool;
    if (!isToolName(name) || !run || (parameters && !parameters['~standard'])) {
      throw new TypeError(
        `registerTool: “${name}” needs a snake_case name and “run”. Only a Standard Schema can be its “parameters”.`,
      );
    }
    // The cast is safe: a tool gets only arguments that its own schema has validated.
    const registration = { tool: tool as unknown as ClientTool };
    const unregister = () => {
      if (this.#registrations.get(name) !== registration) return;
      this.#registrations.delete(name);
      this.#onChange();
    };
    if (signal?.aborted) return unregister;
    this.#registrations.delete(name);
    if (this.#registrations.size >= maxClientTools) {
      throw new TypeError(`registerTool: ${maxClientTools} tools are registered.`);
    }
    this.#registrations.set(name, registration);
    signal?.addEventListener('abort', unregister);
    this.#onChange();
    return unregister;
  }
}
