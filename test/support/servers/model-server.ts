/** An OpenAI-compatible endpoint with scripted responses. */
import type { ServerResponse } from 'node:http';
import { afterBody, listen, type Listening } from './listen.ts';

export interface ModelRequest {
  model: string;
  stream: boolean;
  messages: { role: string; content: any; tool_calls?: any[]; tool_call_id?: string }[];
  tools?: { function: { name: string; description: string; parameters: any } }[];
  tool_choice?: string;
}

export type Respond = (write: ModelWriter, request: ModelRequest) => void | Promise<void>;

/** Writes one response of the endpoint. */
export class ModelWriter {
  readonly response: ServerResponse;
  readonly closed: Promise<void>;

  constructor(response: ServerResponse) {
    this.response = response;
    this.closed = new Promise((resolve) => response.once('close', () => resolve()));
  }

  start(): void {
    if (!this.response.headersSent) this.response.writeHead(200, { 'content-type': 'text/event-stream' });
  }

  chunk(delta: object, finish: string | null = null): void {
    this.start();
    const choices = [{ index: 0, delta, finish_reason: finish }];
    this.raw(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`,
    );
  }

  raw(text: string): void {
    this.start();
    this.response.write(text);
  }

  text(...pieces: string[]): this {
    for (const content of pieces) this.chunk({ role: 'assistant', content });
    return this;
  }

  call(name: string, args: object | string, index = 0): this {
    const json = typeof args === 'string' ? args : JSON.stringify(args);
    const half = Math.ceil(json.length / 2);
    const id = `fn_${index}_${name}`;
    this.chunk({ role: 'assistant', tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
    for (const part of [json.slice(0, half), json.slice(half)]) {
      this.chunk({ tool_calls: [{ index, function: { arguments: part } }] });
    }
    return this;
  }

  end(finish = 'stop'): void {
    this.chunk({}, finish);
    this.raw('data: [DONE]\n\n');
    this.response.end();
  }
}

export class ModelServer {
  readonly requests: (ModelRequest & { authorization: string | undefined; path: string })[] = [];
  /** One entry for each request. The last one is used for all further requests. */
  script: Respond[] = [];
  #listening: Listening | undefined;

  async listen(): Promise<void> {
    this.#listening = await listen(
      afterBody((response, { body, headers: { authorization }, url: path }) => {
        const received = JSON.parse(body) as ModelRequest;
        this.requests.push({ ...received, authorization, path });
        const respond = this.script.length > 1 ? this.script.shift()! : this.script[0]!;
        void respond(new ModelWriter(response), received);
      }),
    );
  }

  get url(): string {
    return `${this.#listening!.url}/v1`;
  }

  /** Sets the responses to the next requests. */
  respondWith(...script: Respond[]): void {
    this.requests.length = 0;
    this.script = script;
  }

  close(): Promise<void> | undefined {
    return this.#listening?.close();
  }
}
