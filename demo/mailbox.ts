/** The mail server of the demo: it receives the transcripts that the shop sends, and delivers nothing. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Email {
  to: string[];
  /** With its headers, as it was sent. */
  raw: string;
}

export interface Mailbox {
  url: string;
  received: Email[];
  close(): Promise<void>;
}

export const openMailbox = async (onEmail: (email: Email) => void): Promise<Mailbox> => {
  const received: Email[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const email = { to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks).toString() };
        received.push(email);
        onEmail(email);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
};
