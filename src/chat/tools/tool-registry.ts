/** The client tools that the agent may call: those that the page has registered, and its WebMCP tools. */
import { clientToolNamePattern, maxClientToolNameLength, maxClientTools } from '../../../contract/limits.ts';
import type { ClientTool } from './client-tool.ts';

export const isToolName = (name: string): boolean =>
  clientToolNamePattern.test(name) && name.length <= maxClientToolNameLength;

export class ToolRegistry {
  readonly tools = new Set<ClientTool>();
  /** The page's WebMCP tools. They get the places that are left. */
  pageTools: readonly ClientTool[] = [];
  /** The last registration of each name. */
  readonly #registrations = new Map<string, symbol>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  setPageTools(tools: readonly ClientTool[]): void {
    this.pageTools = tools;
    this.#onChange();
  }

  /**
   * Registers a tool. A later tool of the same name replaces it.
   * @returns An unregister function.
   * @throws {TypeError} When the name is not in snake_case, or 20 tools are registered already.
   */
  register<Args>(tool: ClientTool<Args>, { signal }: { signal?: AbortSignal } = {}): () => void {
    const { name } = tool;
    if (!isToolName(name)) {
      throw new TypeError(`registerTool: “${name}” is not a tool name. Use snake_case.`);
    }
    // The cast is safe: a tool gets only arguments that its own schema has validated.
    const registered = tool as unknown as ClientTool;
    const registration = Symbol(name);
    const unregister = () => {
      // The same object may have been registered again.
      if (this.#registrations.get(name) !== registration) return;
      this.#registrations.delete(name);
      this.tools.delete(registered);
      this.#onChange();
    };
    if (signal?.aborted) return unregister;
    for (const other of this.tools) if (other.name === name) this.tools.delete(other);
    if (this.tools.size >= maxClientTools) {
      throw new TypeError(`registerTool: ${maxClientTools} tools are registered already.`);
    }
    this.tools.add(registered);
    this.#registrations.set(name, registration);
    signal?.addEventListener('abort', unregister);
    this.#onChange();
    return unregister;
  }
}
