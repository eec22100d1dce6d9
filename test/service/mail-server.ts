/** A mail server for the tests, which records e-mails and can reject them. */
import { after } from 'node:test';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { startBefore } from './support.ts';

export interface ReceivedEmail {
  to: string[];
  from: string;
  /** The e-mail with its headers. Transfer encodings are not decoded. */
  raw: string;
}

export interface MailServer {
  readonly url: string;
  readonly received: ReceivedEmail[];
  /** The code that the next e-mails are rejected with. Undefined accepts them. */
  rejectsWith: number | undefined;
}

const user = 'service';
const password = 'secret';

export const useMailServer = (): MailServer => {
  const received: ReceivedEmail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password: sent }, _session, callback) => {
      if (username === user && sent === password) callback(null, { user });
      else callback(new Error('Authentication failed'));
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { rejectsWith } = mail;
        if (rejectsWith !== undefined) {
          callback(Object.assign(new Error('not now, huda@d.example'), { responseCode: rejectsWith }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        callback();
      });
    },
  });
  startBefore(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  after(() => new Promise<void>((resolve) => server.close(resolve)));
  const mail: MailServer = {
    received,
    rejectsWith: undefined,
    get url() {
      return `smtp://${user}:${password}@127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    },
  };
  return mail;
};

/** Returns the decoded parts of an e-mail as one text. */
export const textOfEmail = ({ raw }: ReceivedEmail): string => {
  const words = raw
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString() : quotedPrintable(text.replaceAll('_', ' ')),
    );
  const parts = words.split(/^--.*$/m).map((part) => {
    const [head = '', ...body] = part.split(/\r?\n\r?\n/);
    const text = body.join('\n\n');
    if (/content-transfer-encoding: base64/i.test(head)) return Buffer.from(text, 'base64').toString();
    return /quoted-printable/i.test(head) ? quotedPrintable(text) : part;
  });
  return parts.join('\n');
};

const quotedPrintable = (text: string): string =>
  Buffer.from(
    text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
