/** The element's class, without defining its tag. */
export { WorkspaceChatElement } from './workspace-chat.ts';
export * from './events.ts';
export type { BlockHost, BlockRenderer } from './block-registry.ts';
export type { Contact } from './chat/identity.ts';
export type { ClientTool, StandardSchema, ToolContext } from './chat/tools.ts';
export type { StringOverrides, Strings } from './locale/strings.ts';
export type { Message } from './api/wire.ts';
