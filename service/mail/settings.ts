/** The settings of the mail server, as the environment variables define them. */

export interface MailSettings {
  /** The URL of the mail server, with a user and a password if it needs them: `smtps://user:password@mail.example`. */
  url: string;
  /** The sender: `Workspace <no-reply@example.com>`. */
  from: string;
  /** The address of the team page, for the links in e-mails. */
  teamUrl: string | undefined;
}

/** @throws {Error} With a message for the terminal when one setting lacks the other. */
export const mailFromConfiguration = ({
  smtpUrl: url,
  mailFrom: from,
  teamUrl,
}: {
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  teamUrl: string | undefined;
}): MailSettings | undefined => {
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined || from === undefined) throw new Error('Set both SMTP_URL and MAIL_FROM, or neither.');
  return { url, from, teamUrl };
};
