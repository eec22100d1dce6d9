/** The picture beside a message of the assistant or of a person, and in the header. */
import { html, type TemplateResult } from 'lit';
import type { AgentMessage } from '../chat/state/state.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import { trustedImage } from '../markdown/index.ts';

/** Returns the first letter of a name, as its language writes it. */
const initialOf = (name: string): string =>
  name
    .trim()
    .match(/\p{L}\p{M}*/u)?.[0]
    .toUpperCase() ?? '';

const hide = ({ target }: Event) => {
  (target as HTMLImageElement).hidden = true;
};

/**
 * Renders the picture, or a disc with the initial of the person or of the heading. The widget's own heading is no name, so
 * that styles draw a bubble into the disc.
 * @param message The reply, or null for one that is streaming and for the header, which are the assistant's.
 */
export const avatar = (
  message: AgentMessage | null,
  { avatar: own, heading, imageHosts, strings }: ViewState,
): TemplateResult => {
  const isPerson = message?.actor === 'owner';
  const picture = isPerson ? trustedImage(message.avatar, imageHosts) : own;
  if (picture)
    return html`<img class="avatar" part="avatar" alt="" referrerpolicy="no-referrer" src=${picture} @error=${hide} />`;
  const name = isPerson ? (message.author ?? '') : heading === strings.heading ? '' : heading;
  return html`<span class="avatar" part="avatar" aria-hidden="true">${initialOf(name)}</span>`;
};
