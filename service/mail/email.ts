/** An e-mail, and what sends it. */

export interface Email {
  /** Makes the `Message-ID`, so that a mail server can recognize an e-mail that is sent twice. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  teamUrl: string | undefined;
  send(email: Email): Promise<void>;
  /** Connects and signs in, and sends nothing. */
  verify(): Promise<void>;
  close(): void;
}

/** The mail server does not accept this e-mail, also not later. */
export class MailRejectedError extends Error {
  constructor(code: number) {
    super(String(code));
    this.name = 'MailRejectedError';
  }
}
