/** The visitors of the identity faults, and the scripts that set their proofs. */
import type { PortablePage } from '../../support/pages/portable-page.ts';
import type { HostileServer } from '../../support/servers/hostile-server.ts';

export const anew = { conversation_id: 'cnv_2', conversation_token: 'tok_2' };

export const contacts = ({ chatCalls }: HostileServer) =>
  chatCalls.map(({ body }) => (JSON.parse(body) as { contact?: unknown }).contact);

/** The message “Hi” after its proof of identity has failed. */
export const identityNotConfirmed =
  'visitor: Hi — Not sent We couldn’t confirm your identity. Sign in again, then send your message again. [Send again] [Edit]';

/** A proof by user id and hash, as a script. */
export const person = (id: string) => `{ user_id: '${id}', user_hash: 'hash-of-${id}' }`;

export const identify = (page: PortablePage, contact: string) =>
  page.evaluate(`document.querySelector('workspace-chat').contact = ${contact}`);

const withElement = (change: string) => `
  window.prepare = () => {
    const { create } = window;
    window.create = (...args) => {
      const element = create(...args);
      ${change};
      return element;
    };
    requestAnimationFrame(function look() {
      const root = document.querySelector('workspace-chat')?.shadowRoot;
      if (root?.textContent.includes('secret of Amal')) window.isSeen = true;
      requestAnimationFrame(look);
    });
  };
`;

/** Sets `contact` before the element is added, and records whether the secret is ever rendered in a frame. */
export const withContact = (contact: string) => withElement(`element.contact = ${contact}`);

/** Calls `identify` before the element is added, as a server-rendered page does. See `withContact`. */
export const withIdentify = (contact: string) =>
  withElement(`customElements.whenDefined('workspace-chat').then(() => element.identify(${contact}))`);
