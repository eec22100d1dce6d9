/** The picture beside a message of the assistant or of a person, and in the header. */
import { html, nothing, type TemplateResult } from 'lit';
import type { AgentMessage } from '../chat/state/state.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import { trustedImage } from '../markdown/index.ts';

/** Returns the first letter of a name, as its language writes it. */
const initialOf = (name: string): string =>
  name
    .trim()
    .match(/\p{L}\p{M}*/u)?.[0]
    .toUpperCase() ?? '';

/** Shows a picture that was loaded, and hides one that is missing. The page may replace its URL. */
const onSettled = ({ target, type }: Event) => {
  (target as HTMLImageElement).hidden = type === 'error';
};

/**
 * Renders the picture over a disc with the initial of the person or of the heading, which stands in for a picture that is missing.
 * The widget's own heading is no name, so that styles draw a bubble into the disc.
 * @param message The reply, or null for one that is streaming and for the header, which are the assistant's.
 */
export const avatar = (
  message: AgentMessage | null,
  { avatar: own, heading, imageHosts, strings }: ViewState,
): TemplateResult => {
  const isPerson = message?.actor === 'owner';
  const picture = isPerson ? trustedImage(message.avatar, imageHosts) : own;
  const name = isPerson ? (message.author ?? '') : heading === strings.heading ? '' : heading;
  const initial = initialOf(name);
  return html`<span class="avatar ${initial ? '' : 'unnamed'}" part="avatar" aria-hidden="true"
    >${initial}${
      picture
        ? html`<img alt="" referrerpolicy="no-referrer" src=${picture} @error=${onSettled} @load=${onSettled} />`
        : nothing
    }</span
  >`;
};
