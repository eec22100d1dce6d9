/** Sends a visitor the transcript of the conversation by e-mail, through the site's own mail server. */
import { Hono } from 'hono';
import MarkdownIt from 'markdown-it';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { Api } from './api.ts';
import type { Bindings } from './bindings.ts';
import { allMessages, conversationId, type Message } from './conversations.ts';
import type { Sessions } from './customers.ts';
import { RateLimit } from './rate-limit.ts';

export interface MailOptions {
  /** Such as `smtps://user:password@mail.example`. */
  smtpUrl: string;
  /** The sender. */
  from: string;
  /** The name of the site, for the subject. */
  site: string;
  /** Whether a visitor who is not signed in may name an address, and a customer another one than the account's. */
  allowsAnyAddress?: boolean;
}

interface TranscriptOptions {
  api: Api;
  bindings: Bindings;
  sessions: Sessions;
  mail: MailOptions;
  now: () => number;
}

const day = 24 * 60 * 60 * 1000;

const request = z.object({
  conversation_id: conversationId,
  email: z.email().max(254),
  language: z.string().max(35).optional(),
});

const texts = {
  en: { subject: (site: string) => `Your conversation with ${site}`, you: 'You', assistant: 'Assistant', team: 'Team' },
  ar: { subject: (site: string) => `محادثتك مع ${site}`, you: 'أنت', assistant: 'المساعد', team: 'الفريق' },
};

/** HTML in a message is text, and only safe addresses become links. */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Returns the message for the mail server. */
export const composeTranscript = (messages: readonly Message[], site: string, language: string) => {
  const isArabic = language.startsWith('ar');
  const words = isArabic ? texts.ar : texts.en;
  const shown = messages.filter(({ content }) => content.trim() !== '');
  const authorOf = ({ role, actor_type }: Message) =>
    role === 'user' ? words.you : actor_type === 'owner' ? words.team : words.assistant;
  const time = new Intl.DateTimeFormat(isArabic ? 'ar-u-nu-latn' : 'en', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const at = ({ created_at }: Message) => `${time.format(Date.parse(created_at))} UTC`;
  const text = shown.map((message) => `${authorOf(message)}, ${at(message)}\n${message.content.trim()}`).join('\n\n');
  // A person and a visitor write no Markdown.
  const body = ({ role, actor_type, content }: Message) =>
    role === 'user' || actor_type === 'owner'
      ? `<p>${escape(content.trim()).replaceAll('\n', '<br>')}</p>`
      : markdown.render(content.trim());
  const rows = shown.map(
    (message) =>
      `<section style="margin:0 0 16px"><div style="color:#5b6270;font-size:13px">${authorOf(message)} · ${at(message)}</div>` +
      `<div dir="auto">${body(message)}</div></section>`,
  );
  const subject = words.subject(site);
  const html =
    `<!doctype html><html lang="${isArabic ? 'ar' : 'en'}" dir="${isArabic ? 'rtl' : 'ltr'}"><meta charset="utf-8">` +
    `<title>${escape(subject)}</title><body style="font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:24px auto;padding:0 16px">` +
    `<h1 style="font-size:20px">${escape(subject)}</h1>${rows.join('')}</body></html>`;
  return { subject, text, html };
};

export const transcriptRoutes = ({ api, bindings, sessions, mail, now }: TranscriptOptions): Hono => {
  const transport = createTransport(mail.smtpUrl);
  const [perConversation, perAddress] = [new RateLimit(3, day, now), new RateLimit(5, day, now)];
  return new Hono().post('/transcript', async (context) => {
    const parsed = request.safeParse(await context.req.json().catch(() => null));
    if (!parsed.success) return context.body(null, 400);
    const { conversation_id: id, email, language = 'en' } = parsed.data;
    const proof = Buffer.from(context.req.header('x-conversation-proof') ?? '', 'base64url');
    if (proof.length !== 32 || bindings.matches(id, proof) !== true) return context.body(null, 401);
    const address = email.toLowerCase();
    const isOwn = sessions.customerOf(context)?.email.toLowerCase() === address;
    if (!isOwn && !mail.allowsAnyAddress) return context.body(null, 403);
    const wait = Math.max(perConversation.wait(id), perAddress.wait(address));
    if (wait > 0) return context.body(null, 429, { 'Retry-After': String(wait) });
    perConversation.count(id);
    perAddress.count(address);
    const messages = await allMessages(api, id);
    await transport.sendMail({ from: mail.from, to: email, ...composeTranscript(messages, mail.site, language) });
    return context.body(null, 204);
  });
};
