/** Call handlers for the hostile server that many faults share. */
import { response, started } from '../fakes/fake-service.ts';
import type { CallHandler } from './hostile-server.ts';
import type { ServerCall } from './server-call.ts';

/** A complete reply, streamed or as JSON, as the service sends it. */
export const reply =
  (text = 'Hello there', fields: Parameters<typeof response>[0] = {}): CallHandler =>
  (call) => {
    const isFirst = !call.json['conversation_id'];
    const message = { id: `msg_${text}`, role: 'assistant', content: text };
    const body = { message, ...fields };
    const done = isFirst ? started(body) : response(body);
    if (call.json['stream']) call.startStream().delta(text).event('done', done).end();
    else call.respond(200, 'application/json', JSON.stringify(done));
  };

/** An error response in the contract's envelope. */
export const errorResponse =
  (status: number, code: string, headers: Record<string, string> = {}, message = `About ${code}`): CallHandler =>
  (call) =>
    call.respond(
      status,
      'application/json',
      JSON.stringify({ error: { code, message, request_id: 'req_1' } }),
      headers,
    );

/** Accepts the call and never responds. */
export const noResponse: CallHandler = () => {};

/** Resets the connection before the first byte of the response. */
export const resetConnection: CallHandler = (call) => call.reset();

/** A handler that leaves the call to the test: `call` resolves when the call has arrived. */
export const holdCall = (): { handler: CallHandler; call: Promise<ServerCall> } => {
  let resolve!: (call: ServerCall) => void;
  const call = new Promise<ServerCall>((done) => {
    resolve = done;
  });
  return { handler: (received) => resolve(received), call };
};
