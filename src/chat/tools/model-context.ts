/** The parts of WebMCP (`document.modelContext`) that are used here. */
import type { JsonObject } from '../../../contract/wire.ts';

/** A tool as `getTools` describes it. */
export interface PageTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** The JSON Schema of the arguments. */
  readonly inputSchema?: unknown;
  /** The window that registered the tool. */
  readonly window?: unknown;
}

/** A tool as `registerTool` takes it. */
export interface PublishedTool {
  name: string;
  title?: string;
  /** Must not be empty. */
  description: string;
  inputSchema?: Record<string, unknown>;
  execute(args: unknown, options?: { signal?: AbortSignal }): Promise<JsonObject>;
}

/** Fires `toolchange` when a tool is registered or unregistered. */
export interface ModelContext extends EventTarget {
  getTools(): Promise<readonly PageTool[]>;
  /** Resolves with the result as JSON. */
  executeTool(tool: PageTool, args: JsonObject, options: { signal: AbortSignal }): Promise<string>;
  registerTool(tool: PublishedTool, options: { signal: AbortSignal }): unknown;
}
