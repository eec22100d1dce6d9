/** A test service whose replies come from a scripted language model. */
import { after, beforeEach } from 'node:test';
import { ModelServer, type Respond } from '../support/servers/model-server.ts';
import { startBefore, useTestService } from './support.ts';

/** The model calls a function. */
export const calls =
  (name: string, args: object = {}): Respond =>
  (write) =>
    write.call(name, args).end('tool_calls');

/** The model writes a text, in these pieces. */
export const says =
  (...pieces: string[]): Respond =>
  (write) =>
    write.text(...pieces).end();

/**
 * Starts the model and the service before the tests of a file and closes them after it.
 * @param timeoutMs How long the service waits for the model. Short only where a test waits for that to end.
 */
export const useModelService = (timeoutMs = 30_000) => {
  const model = new ModelServer();
  startBefore(() => model.listen());
  const tested = useTestService(() => ({
    allowLoopback: true,
    model: { url: model.url, name: 'small', key: 'sk-model', timeoutMs },
  }));
  after(() => model.close());
  beforeEach(() => {
    tested.log.length = 0;
  });
  const streamed = async (content: string, init: object = {}) => {
    const events = await tested.streamed(content, init);
    const text = events.map(({ event, data }) => (event === 'delta' ? data.text : '')).join('');
    return { events, text, done: events.at(-1)!.data };
  };
  return { model, tested, streamed };
};
