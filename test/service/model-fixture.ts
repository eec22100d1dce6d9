/** A test service whose replies come from a scripted language model. */
import { after, beforeEach } from 'node:test';
import { ModelServer } from '../support/servers/model-server.ts';
import { startBefore, useTestService, type StreamEvent } from './support.ts';

/** Joins the text of the streamed chunks. */
export const textOf = (events: StreamEvent[]): string => {
  return events.flatMap(({ event, data }) => (event === 'delta' ? [data.text as string] : [])).join('');
};

/** Starts the model and the service before the tests of a file and closes them after it. */
export const useModelService = () => {
  const model = new ModelServer();
  startBefore(() => model.listen());
  const tested = useTestService(() => ({
    allowLoopback: true,
    model: { url: model.url, name: 'small', key: 'sk-model', timeoutMs: 400 },
  }));
  after(() => model.close());
  beforeEach(() => {
    tested.nextMinute();
    tested.log.length = 0;
  });
  const streamed = async (content: string, init: object = {}) => {
    const events = await tested.streamed(content, init);
    return { events, text: textOf(events), done: events.at(-1)!.data };
  };
  return { model, tested, streamed };
};
