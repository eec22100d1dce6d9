/** A WebMCP `document.modelContext` that behaves as in Chromium 156. */
import type { ModelContext, PageTool, PublishedTool } from '../../../src/chat/tools/model-context.ts';

type Registered = Omit<PublishedTool, 'execute'> & {
  execute(args: unknown, options?: { signal?: AbortSignal }): unknown;
};

export class FakeModelContext extends EventTarget implements ModelContext {
  readonly #tools = new Map<string, Registered>();

  registerTool(tool: Registered, { signal }: { signal?: AbortSignal } = {}): void {
    const { name, description } = tool;
    if (!description || this.#tools.has(name)) throw new DOMException('Duplicate tool name', 'InvalidStateError');
    if (signal?.aborted) return;
    this.#tools.set(name, tool);
    signal?.addEventListener('abort', () => {
      this.#tools.delete(name);
      this.#notify();
    });
    this.#notify();
  }

  async getTools(): Promise<PageTool[]> {
    return [...this.#tools.values()]
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ name, description, inputSchema }) => ({ name, description, ...(inputSchema && { inputSchema }) }));
  }

  /** Like Chromium, it does not check the arguments, and returns a text as it is. */
  async executeTool({ name }: PageTool, args: unknown, options: { signal?: AbortSignal } = {}): Promise<string> {
    const tool = this.#tools.get(name);
    if (!tool) throw new DOMException('The operation failed', 'UnknownError');
    const result = await Promise.race([tool.execute(args, options), rejectOnAbort(options.signal)]);
    return typeof result === 'string' ? result : (JSON.stringify(result) ?? 'undefined');
  }

  /** Calls a tool as another agent, and returns what its function returns. */
  async call(name: string, args: unknown): Promise<unknown> {
    return this.#tools.get(name)!.execute(args);
  }

  /** The tools as they were registered. */
  get registered(): Registered[] {
    return [...this.#tools.values()];
  }

  #notify(): void {
    this.dispatchEvent(new Event('toolchange'));
  }
}

const rejectOnAbort = (signal?: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
