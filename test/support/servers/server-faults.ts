/** Answers of the hostile server that many faults share. */
import { response, started } from '../fakes/fake-service.ts';
import type { Misdeed } from './hostile-server.ts';

/** A whole streamed answer, as the service gives it. */
export const answered =
  (text = 'Hello there', fields: Parameters<typeof response>[0] = {}): Misdeed =>
  (exchange) => {
    const isFirst = !exchange.json['conversation_id'];
    const message = { id: `msg_${text}`, role: 'assistant', content: text };
    const body = { message, ...fields };
    if (!exchange.json['stream']) {
      exchange.reply(200, 'application/json', JSON.stringify(isFirst ? started(body) : response(body)));
      return;
    }
    exchange
      .stream()
      .delta(text)
      .event('done', isFirst ? started(body) : response(body))
      .end();
  };

/** A refusal in the contract's envelope. */
export const refused =
  (status: number, code: string, headers: Record<string, string> = {}, message = `About ${code}`): Misdeed =>
  (exchange) =>
    exchange.reply(
      status,
      'application/json',
      JSON.stringify({ error: { code, message, request_id: 'req_1' } }),
      headers,
    );

/** Takes the call, and never says a word. */
export const silence: Misdeed = () => {};

/** Cuts the connection before a byte of the answer. */
export const cut: Misdeed = (exchange) => exchange.reset();

/** An answer that waits for the test to go on with it. */
export const held = () => {
  let resolve!: (exchange: Parameters<Misdeed>[0]) => void;
  const exchange = new Promise<Parameters<Misdeed>[0]>((done) => {
    resolve = done;
  });
  return { misdeed: ((given) => resolve(given)) as Misdeed, exchange };
};
