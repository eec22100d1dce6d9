/** Serves the pages that are compared, and answers their questions as fast as the connection takes it. */
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markdown, pieces } from './answers.ts';
import { deepChatPage, markedPage, ownPage, plainPage } from './pages.ts';

const pages: Record<string, string> = { plain: plainPage, marked: markedPage, 'deep-chat': deepChatPage, own: ownPage };
const here = fileURLToPath(new URL('.', import.meta.url));

/** A whole answer, as fast as the connection takes it. */
const stream = async (response: ServerResponse, length: number): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const text = markdown(length);
  const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const deltas = pieces(text).map((piece) => event('delta', { text: piece }));
  for (let index = 0; index < deltas.length; index += 40) {
    response.write(deltas.slice(index, index + 40).join(''));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const message = { id: `msg_${length}_${Math.random()}`, role: 'assistant', content: text };
  const done = { conversation_id: 'c', conversation_token: 't', message, refused: false, sources: [], degraded: false };
  response.end(event('done', { ...done, lead_captured: false }));
};

/** @param ownFolder Where the script-tag build lies. */
export const serveBench = async (ownFolder: string): Promise<{ port: number; close: () => Promise<void> }> => {
  let answerLength = 1_000;
  const server = createServer((request, response) => {
    const { pathname, searchParams, search } = new URL(request.url ?? '/', 'http://localhost');
    const page = pages[pathname.slice(1)];
    if (page) response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    else if (pathname === '/length') {
      answerLength = Number(search.slice(1));
      response.end();
    } else if (pathname.endsWith('/chat')) void stream(response, Number(searchParams.get('length') ?? answerLength));
    else {
      const file = pathname.startsWith('/own/') ? join(ownFolder, pathname.slice(5)) : join(here, pathname);
      const type = /m?js/.test(extname(file)) ? 'text/javascript' : 'text/plain';
      readFile(file).then(
        (body) => response.writeHead(200, { 'content-type': type }).end(body),
        () => response.writeHead(404).end(),
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
