/** Signs deliveries: as the contract describes it, and also as Standard Webhooks do, for which many languages have a library. */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** Base64 with the alphabet of Standard Webhooks, whose libraries decode the secret. */
export const newWebhookSecret = (): string => `${prefix}${randomBytes(24).toString('base64')}`;

/** The key is the secret as it is written. */
export const contractSignature = (secret: string, at: number, body: string): string => {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
};

/** The key is the decoded secret. Secrets of older versions have the alphabet of URLs, which is decoded too. */
export const standardSignature = (secret: string, id: string, at: number, body: string): string => {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`;
};
