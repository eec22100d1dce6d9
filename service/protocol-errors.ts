/** Responds with the body of an error where Node.js rejects a request before the application sees it. */
import { STATUS_CODES, type IncomingHttpHeaders, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, errorBody, type ErrorName } from './core/errors.ts';
import { newId } from './core/ids.ts';
import { acceptedLanguage } from './core/language.ts';
import { apiVersion } from './core/version.ts';

const namesByCode: Record<string, ErrorName> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Without headers, the request was not read far enough to know the language of the caller. */
const describe = (name: ErrorName, { 'accept-language': languages = '' }: IncomingHttpHeaders = {}) => {
  const requestId = newId('req');
  const body = JSON.stringify(errorBody(name, acceptedLanguage(languages), requestId));
  return {
    status: new ApiError(name).status,
    body,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Service-Api-Version': apiVersion,
      'X-Request-Id': requestId,
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    },
  };
};

/** The methods of the API. */
const methods = 'GET, POST, PATCH, DELETE';

const endWith = (socket: Duplex, name: ErrorName, received?: IncomingHttpHeaders, more: object = {}): void => {
  const { status, body, headers } = describe(name, received);
  const lines = Object.entries({ ...headers, ...more }).map(([header, value]) => `${header}: ${value}`);
  socket.end(`${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n')}\r\n\r\n${body}`);
};

export const errorResponse = (name: ErrorName): Response => {
  const { status, body, headers } = describe(name);
  return new Response(body, { status, headers });
};

export const respondToProtocolErrors = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    endWith(socket, namesByCode[error.code ?? ''] ?? 'malformed_request');
  });
  // Without a listener, Node.js closes the connection. With one, it leaves the errors and the end of the socket to the listener.
  server.on('connect', ({ headers, socket }) => {
    socket.on('error', () => {});
    endWith(socket, 'method_not_allowed', headers, { Allow: methods });
    socket.destroySoon();
  });
  server.on('checkExpectation', (request, response) => {
    const { status, body, headers } = describe('expectation_failed', request.headers);
    response.writeHead(status, headers).end(body);
  });
};
