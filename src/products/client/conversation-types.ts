/** The types of a conversation that an interface of your own uses. */
export type { Block, ChatResponse, ContactProof, Message, Source } from '../../../contract/wire.ts';
export type { Contact } from '../../chat/identity.ts';
export type {
  AgentMessage,
  ChatMessage,
  ConversationState,
  LiveReply,
  NoticeMessage,
  Problem,
  ToolRun,
  Turn,
  VisitorMessage,
} from '../../chat/state/state.ts';
export type { ClientTool, StandardSchema, ToolContext } from '../../chat/tools/client-tool.ts';
export type * from '../../workspace-chat/conversation-events.ts';
export type * from '../../workspace-chat/event-map.ts';
export type * from '../../workspace-chat/events.ts';
export type { ConversationEvents } from './conversation-events.ts';
