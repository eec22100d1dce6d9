/** Defines the tag, unless another copy of the package has defined it. */
import { inertChatFile } from './files.ts';
import { registerLengths } from '../styles/lengths.ts';
import { version } from './version.ts';
import { WorkspaceChatElement } from './workspace-chat.ts';

/** Whether this document can run the chat. Everything else that the chat uses has a fallback. */
const isSupported = (): boolean =>
  // A server that imports the package has no document.
  !globalThis.document ||
  // Templates are parsed as XML in an XML document, and fail.
  (document.contentType === 'text/html' &&
    'showPopover' in HTMLElement.prototype &&
    'attachInternals' in HTMLElement.prototype);

export const define = (): void => {
  const registry = (globalThis as { customElements?: CustomElementRegistry }).customElements;
  if (!registry) return;
  const defined = registry.get('workspace-chat') as Partial<typeof WorkspaceChatElement> | undefined;
  if (defined?.version && defined.version !== version)
    console.warn(`workspace-chat: this page has version ${defined.version} already, and ignores ${version}.`);
  if (defined) return;
  if (isSupported()) {
    registerLengths();
    registry.define('workspace-chat', WorkspaceChatElement);
  } else void inertChatFile.load().then((defineInertChat) => defineInertChat());
};
