/** Sends e-mail over SMTP. Loaded only when a mail server is configured. */
import { createTransport } from 'nodemailer';
import { MailRejectedError, type Mailer } from './email.ts';
import type { MailSettings } from './settings.ts';

const timeoutMs = 10_000;

export const createMailer = ({ url, from, teamUrl }: MailSettings): Mailer => {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Nothing of an e-mail is read from files or from the network.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    teamUrl,
    async send({ id, ...email }) {
      const messageId = `<${id}@workspace-service>`;
      try {
        await transport.sendMail({ ...email, from, messageId, headers: { 'Auto-Submitted': 'auto-generated' } });
      } catch (error) {
        const { responseCode = 0, code } = error as { responseCode?: number; code?: string };
        // A wrong password is the operator's to repair. The e-mail itself is fine.
        if (responseCode >= 500 && code !== 'EAUTH') throw new MailRejectedError(responseCode);
        throw error;
      }
    },
    async verify() {
      await transport.verify();
    },
    close: () => transport.close(),
  };
};
