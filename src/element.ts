/** Exports the element's class without defining the tag. */
export { WorkspaceChatElement } from './workspace-chat/workspace-chat.ts';
export { WorkspaceChatConsentEvent } from './workspace-chat/consent.ts';
export * from './workspace-chat/conversation-events.ts';
export * from './workspace-chat/events.ts';
export type { WorkspaceChatEventMap } from './workspace-chat/event-map.ts';
export type { BlockFields, BlockHost, BlockRenderer } from './controllers/block-renderer.ts';
export type { Contact } from './chat/identity.ts';
export type { ClientTool, StandardSchema, ToolContext } from './chat/tools/client-tool.ts';
export type { CountedText, PluralForms, PluralRule } from './locale/counted-text.ts';
export type { LocaleDefinition } from './locale/locale-definition.ts';
export type { StringOverrides, Strings } from './locale/strings.ts';
export type { Consent } from './workspace-chat/consent.ts';
export type { PageLink } from './workspace-chat/properties.ts';
export type { TeamHours } from './locale/team-hours.ts';
export type { Message } from '../contract/wire.ts';
