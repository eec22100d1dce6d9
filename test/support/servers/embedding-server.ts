/** An OpenAI-compatible endpoint for embeddings. Each dimension of a vector is a subject, and counts the words about it. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface EmbeddingRequest {
  model: string;
  input: string[];
}

export class EmbeddingServer {
  readonly requests: (EmbeddingRequest & { authorization: string | undefined })[] = [];
  /** `fails` responds with 500, `hangs` never responds, and `breaks` returns a vector too few. */
  behavior: 'works' | 'fails' | 'hangs' | 'breaks' = 'works';
  readonly #subjects: RegExp[];
  readonly #server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const piece of request) body += piece;
      const received = JSON.parse(body) as EmbeddingRequest;
      this.requests.push({ ...received, authorization: request.headers.authorization });
      this.#respond(received, response);
    })();
  });

  /** @param subjects The words of each subject, as an expression with the flag `g`. */
  constructor(subjects: RegExp[]) {
    this.#subjects = subjects;
  }

  #respond({ model, input }: EmbeddingRequest, response: ServerResponse): void {
    if (this.behavior === 'hangs') return;
    if (this.behavior === 'fails') {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"overloaded"}}');
      return;
    }
    const embedded = this.behavior === 'breaks' ? input.slice(1) : input;
    const data = embedded.map((text, index) => ({ object: 'embedding', index, embedding: this.#vectorOf(text) }));
    const usage = { prompt_tokens: 1, total_tokens: 1 };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', model, data, usage }));
  }

  /** The last dimension is that of all other subjects. */
  #vectorOf(text: string): number[] {
    const counts = this.#subjects.map((words) => text.match(words)?.length ?? 0);
    return [...counts, counts.every((count) => count === 0) ? 1 : 0];
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
