/** A caller of the chat operation that uses little processor time, because it shares the machine with the service. */
import { request, type Agent } from 'node:http';
import type { ServiceProcess } from '../support/servers/service-process.ts';

export interface Credentials {
  conversation_id?: string;
  conversation_token?: string;
}

export interface SentTurn {
  outcome: 'done' | 'rejected' | 'reset' | 'failed';
  /** Milliseconds until the first text of the reply. */
  firstTextMs: number | undefined;
  credentials: Credentials;
}

interface TurnToSend {
  /** Each caller has an address of its own. */
  caller: number;
  question: string;
  credentials: Credentials;
}

/** Sends a streamed turn, and resolves at its end. */
export const sendTurn = (
  { baseUrl, agentId, publishableKey }: ServiceProcess,
  agent: Agent,
  { caller, question, credentials }: TurnToSend,
): Promise<SentTurn> => {
  const headers = {
    authorization: `Bearer ${publishableKey}`,
    'content-type': 'application/json',
    'x-forwarded-for': `10.${caller >> 16}.${(caller >> 8) & 255}.${caller & 255}`,
  };
  const sentAt = performance.now();
  return new Promise((resolve) => {
    let text = '';
    let firstTextMs: number | undefined;
    const finish = (outcome: SentTurn['outcome']) => {
      const done = /^event: done\ndata: (.*)$/m.exec(text)?.[1];
      const end = done === undefined ? {} : (JSON.parse(done) as Credentials);
      const { conversation_id: id, conversation_token: token = credentials.conversation_token } = end;
      resolve({
        outcome: outcome === 'done' && done === undefined ? 'failed' : outcome,
        firstTextMs,
        credentials: id === undefined || token === undefined ? {} : { conversation_id: id, conversation_token: token },
      });
    };
    const url = `${baseUrl}/agents/${agentId}/chat`;
    const sent = request(url, { agent, method: 'POST', headers }, (response) => {
      const isRejected = response.statusCode === 503 && response.headers['retry-after'] !== undefined;
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
        if (firstTextMs === undefined && text.includes('event: delta')) firstTextMs = performance.now() - sentAt;
      });
      response.on('end', () => finish(isRejected ? 'rejected' : 'done'));
      response.on('error', () => finish('reset'));
    });
    sent.on('error', () => finish('reset'));
    sent.end(JSON.stringify({ messages: [{ role: 'user', content: question }], stream: true, ...credentials }));
  });
};

export const percentile = (values: number[], percent: number): string => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))]?.toFixed(0) ?? '–';
};
