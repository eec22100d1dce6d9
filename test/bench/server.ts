/** Serves the compared pages with compressed files, and replies to each widget in its own protocol. */
import { readFile } from 'node:fs/promises';
import { type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import type { Block } from '../../contract/wire.ts';
import { markdown, pieces } from './replies.ts';
import { page } from './harness.ts';
import {
  carbon,
  deepChat,
  flowise,
  n8n,
  own,
  ownInline,
  ownNpm,
  peers,
  plainInPanel,
  storingDeepChat,
  type Peer,
} from './peers.ts';
import { eventText, started } from '../support/fakes/fake-service.ts';
import { listen } from '../support/servers/listen.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

/** How fast a reply arrives. */
export interface Speed {
  /** The deltas of 5 characters that are sent at once. */
  deltas: number;
  /** The milliseconds after them. */
  pause: number;
}

/** As fast as the connection allows. */
export const fastest: Speed = { deltas: 40, pause: 1 };

/** The next reply: its length, its speed, and its last word, which arrives in one chunk. */
export interface NextReply extends Speed {
  length: number;
  ending: string;
  /** The blocks of this widget's reply. */
  blocks?: Block[];
}

/** A reply that fails. `send` sends a text as the beginning of a reply that is not ended. */
export type Fault = (response: ServerResponse, send: (text: string) => void) => void;

/** How a chunk of text and the end are encoded for a widget. */
interface Protocol {
  type: string;
  piece(text: string): string;
  end(text: string, reply: NextReply): string;
}

const sse = 'text/event-stream';

/** The response of the Workspace Assistant API: whole, or at the end of a stream. */
const ownReply = (content: string, id: string, blocks?: Block[]): object =>
  started({ message: { id, role: 'assistant', content, ...(blocks && { blocks }) } });

const protocols: Record<string, Protocol> = {
  [own.name]: {
    type: sse,
    piece: (text) => eventText('delta', { text }),
    end: (content, { ending, blocks }) => eventText('done', ownReply(content, ending, blocks)),
  },
  [carbon.name]: { type: 'text/plain', piece: (text) => text, end: () => '' },
  [deepChat.name]: { type: sse, piece: (text) => `data: ${JSON.stringify({ text })}\n\n`, end: () => '' },
  [n8n.name]: {
    type: 'application/json',
    piece: (content) => `${JSON.stringify({ type: 'item', content, metadata: { nodeId: 'a', runIndex: 0 } })}\n`,
    end: () => `${JSON.stringify({ type: 'end', metadata: { nodeId: 'a', runIndex: 0 } })}\n`,
  },
  [flowise.name]: {
    type: sse,
    piece: (data) => `data: ${JSON.stringify({ event: 'token', data })}\n\n`,
    end: () => `data: ${JSON.stringify({ event: 'end', data: '[DONE]' })}\n\n`,
  },
};
const starts: Record<string, string> = {
  [n8n.name]: `${JSON.stringify({ type: 'begin', metadata: { nodeId: 'a', runIndex: 0 } })}\n`,
  [flowise.name]: `data: ${JSON.stringify({ event: 'start', data: '' })}\n\n`,
};

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export interface BenchServer {
  url: string;
  next: NextReply;
  /** The wall-clock time of the last byte of the last reply. */
  lastByteAt: number;
  /** The response to n8n's request for an earlier conversation. */
  earlier: object[];
  /** What happens instead of a reply, until it is null again. */
  fault: Fault | null;
  /** The Content-Security-Policy of the pages. Their scripts have the nonce `bench`. */
  policy: string | null;
  /** The language of the pages. */
  language: 'en' | 'ar';
  /** What the pages have beside the widget: nothing, or a text. */
  words: string;
  close(): Promise<void>;
}

/** Returns a function that sends a file. Each file is compressed once. */
const serveCompressed = (folders: Readonly<Record<string, string>>) => {
  const files = new Map<string, Buffer>();
  return async (response: ServerResponse, path: string): Promise<void> => {
    const [, top = '', ...rest] = path.split('/');
    const folder = folders[top];
    const file = folder ? join(folder, ...rest) : join(here, path);
    const type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
    const body = files.get(path) ?? brotliCompressSync(await readFile(file));
    files.set(path, body);
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'br' }).end(body);
  };
};

/** Returns the functions that send the next reply: as a stream, and whole. */
const replies = (bench: BenchServer) => {
  const sendReply = async (response: ServerResponse, name: string): Promise<void> => {
    const { length, deltas: count, pause, ending } = bench.next;
    const { type, piece, end } = protocols[name]!;
    if (bench.fault) {
      return bench.fault(response, (text) => {
        response.writeHead(200, { 'content-type': type });
        response.write(`${starts[name] ?? ''}${piece(text)}`);
      });
    }
    response.writeHead(200, { 'content-type': type });
    response.write(starts[name] ?? '');
    const body = markdown(length);
    const deltas = pieces(body).map(piece);
    for (let index = 0; index < deltas.length; index += count) {
      response.write(deltas.slice(index, index + count).join(''));
      await wait(pause);
    }
    const last = body ? `\n\n${ending}` : ending;
    response.end(`${piece(last)}${end(`${body}${last}`, bench.next)}`);
    bench.lastByteAt = performance.timeOrigin + performance.now();
  };

  /** The response to the call without a stream, which the widget makes when a stream has failed. */
  const sendWhole = (response: ServerResponse): void => {
    const { length, ending } = bench.next;
    if (bench.fault) return bench.fault(response, () => {});
    const reply = ownReply([markdown(length), ending].filter(Boolean).join('\n\n'), ending);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  };

  return { sendReply, sendWhole };
};

/** @param folders The folder of the script tag's files, that of an application with the npm package, and that of Carbon's bundle. */
export const serveBench = async (folders: { own: string; npm?: string; carbon?: string }): Promise<BenchServer> => {
  const sendFile = serveCompressed(folders);

  const bench: BenchServer = {
    url: '',
    next: { length: 1_000, ending: '', ...fastest },
    lastByteAt: 0,
    earlier: [],
    fault: null,
    policy: null,
    language: 'en',
    words: '',
    close: async () => {},
  };
  const { sendReply, sendWhole } = replies(bench);

  const sendPage = (response: ServerResponse, peer: Peer): void => {
    const headers = { 'content-type': 'text/html', ...(bench.policy && { 'content-security-policy': bench.policy }) };
    response.writeHead(200, headers).end(page(peer, bench));
  };

  const { url, close } = await listen((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const sendJson = (body: object) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const peer = [...peers, carbon, ownInline, ownNpm, plainInPanel, storingDeepChat].find(
      ({ name }) => pathname === `/${encodeURIComponent(name)}`,
    );
    if (pathname === '/nothing') response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    else if (peer) sendPage(response, peer);
    else if (pathname.endsWith('/chat')) {
      void text(request).then((body) =>
        body.includes('"stream":true') ? sendReply(response, own.name) : sendWhole(response),
      );
    } else if (pathname === '/ask-carbon') void sendReply(response, carbon.name);
    else if (pathname === '/ask-deep-chat') void sendReply(response, deepChat.name);
    else if (pathname.startsWith('/api/v1/prediction/')) void sendReply(response, flowise.name);
    else if (pathname.startsWith('/api/v1/chatflows-streaming/')) sendJson({ isStreaming: true });
    else if (pathname.startsWith('/api/v1/')) sendJson({});
    else if (pathname === '/n8n') {
      void text(request).then((body) =>
        body.includes('loadPreviousSession') ? sendJson({ data: bench.earlier }) : sendReply(response, n8n.name),
      );
    } else sendFile(response, pathname).catch(() => response.writeHead(404).end());
  });
  return Object.assign(bench, { url, close });
};
