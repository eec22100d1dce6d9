/** The picture beside a message of the assistant or of a person. */
import { html, nothing, type TemplateResult } from 'lit';
import type { AgentMessage } from '../chat/state/state.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import { trustedImage } from '../markdown/index.ts';

/** Returns the first letter of a person's name, as the person's language writes it. */
const initialOf = (name: string): string =>
  name
    .trim()
    .match(/\p{L}\p{M}*/u)?.[0]
    .toUpperCase() ?? '';

const hide = ({ target }: Event) => {
  (target as HTMLImageElement).hidden = true;
};

/**
 * Renders the picture, or nothing when the site has none. A person without a picture is shown by an initial.
 * @param message The reply, or null for one that is streaming and for the greeting, which are the assistant's.
 */
export const avatar = (
  message: AgentMessage | null,
  { avatar: own, imageHosts }: ViewState,
): TemplateResult | typeof nothing => {
  const isPerson = message?.actor === 'owner';
  const picture = isPerson ? trustedImage(message.avatar, imageHosts) : own;
  if (picture)
    return html`<img class="avatar" part="avatar" alt="" referrerpolicy="no-referrer" src=${picture} @error=${hide} />`;
  return own && isPerson
    ? html`<span class="avatar" part="avatar" aria-hidden="true">${initialOf(message.author ?? '')}</span>`
    : nothing;
};
