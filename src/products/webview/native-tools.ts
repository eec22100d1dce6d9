/** Runs the app's tools: it posts each call over the bridge and waits for the result. */
import type { JsonObject } from '../../../contract/wire.ts';
import type { ClientTool, ToolContext } from '../../chat/tools/client-tool.ts';
import type { NativeTool } from './configuration.ts';
import type { Outgoing, ToolResult } from './protocol.ts';

interface Waiting {
  resolve(result: JsonObject): void;
  reject(error: Error): void;
}

export class NativeTools {
  readonly #post: (message: Outgoing) => void;
  readonly #waiting = new Map<string, Waiting>();

  constructor(post: (message: Outgoing) => void) {
    this.#post = post;
  }

  /** Wraps a tool of the app as a client tool. */
  toClientTool({ name, title, labels, confirm, timeoutMs }: NativeTool): ClientTool {
    return {
      name,
      ...(title && { title }),
      ...(labels && { labels }),
      ...(confirm && { confirm: confirm === true ? true : () => confirm }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      run: (args, context) => this.#run(name, args, context),
    };
  }

  /** Handles the app's result. Returns false when no call is waiting for it. */
  settle(result: ToolResult): boolean {
    const waiting = this.#waiting.get(result.callId);
    if (!waiting) return false;
    if (result.ok) waiting.resolve(result.result ?? {});
    else waiting.reject(new Error(result.error || 'The app’s tool failed.'));
    return true;
  }

  #run(name: string, args: JsonObject, { signal, callId, conversationId }: ToolContext): Promise<JsonObject> {
    return new Promise<JsonObject>((resolve, reject) => {
      const onAbort = () => {
        const reason = signal.reason as Error | null;
        const isLate = reason?.message === 'timeout';
        this.#post({ type: 'tool', phase: 'abort', callId, reason: isLate ? 'timeout' : 'stopped' });
        settle(() => reject(reason));
      };
      const settle = (finish: () => void) => {
        signal.removeEventListener('abort', onAbort);
        this.#waiting.delete(callId);
        finish();
      };
      signal.throwIfAborted();
      signal.addEventListener('abort', onAbort);
      this.#waiting.set(callId, {
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error)),
      });
      this.#post({ type: 'tool', phase: 'run', callId, name, arguments: args, conversationId });
    });
  }
}
