/** The tools that the page offers to the agent. */
import type { ClientTool } from './client-tools.ts';

/** The contract's "Limits": client tools, up to 20 names. */
const maxTools = 20;

export class ToolRegistry {
  readonly tools = new Set<ClientTool>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /**
   * Offers a tool until the answer is called or the signal aborts. A later tool of the same name takes its place.
   * @throws {TypeError} When the name is no snake_case name, or 20 tools are registered already.
   */
  register<Args>(tool: ClientTool<Args>, { signal }: { signal?: AbortSignal } = {}): () => void {
    const { name } = tool;
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) {
      throw new TypeError(`registerTool: “${name}” is no tool name. Use snake_case, such as “get_order_status”.`);
    }
    // Each tool is given the arguments that its own schema lets through.
    const kept = tool as unknown as ClientTool;
    const unregister = () => void this.tools.delete(kept);
    if (signal?.aborted) return unregister;
    for (const other of this.tools) if (other.name === name) this.tools.delete(other);
    if (this.tools.size >= maxTools) {
      throw new TypeError(`registerTool: ${maxTools} tools are registered already. Unregister one before “${name}”.`);
    }
    this.tools.add(kept);
    signal?.addEventListener('abort', unregister, { once: true });
    this.#onChange();
    return unregister;
  }
}
