/** Shows a reply with blocks in the element. */
import type { WorkspaceChatElement } from '../../../src/element.ts';
import { mount, until, type Mounted } from '../../support/pages/element.ts';
import { replyWith } from '../../support/fakes/fake-service.ts';

/** Returns the element with one reply that carries the blocks. */
export const show = async (
  blocks: unknown[],
  attributes: Record<string, string> = {},
  prepare?: (element: WorkspaceChatElement) => void,
): Promise<Mounted> => {
  const shown = await mount(
    [replyWith('Look:', { blocks }), replyWith('Thank you', { id: 'm2' })],
    attributes,
    prepare,
  );
  await shown.element.send('Hi');
  await until(() => shown.find('.message.agent .meta') && shown.find('.block'));
  return shown;
};

/** Returns the last message of the visitor, as the transcript shows it. */
export const lastShown = ({ findAll }: Mounted): string | undefined =>
  findAll('.message.visitor .bubble').at(-1)?.textContent;

/** Returns the last message that the widget has sent. */
export const lastSent = ({ service }: Mounted): string | undefined => service.calls.at(-1)?.body.messages[0]?.content;
