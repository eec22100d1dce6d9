/** `workspace-chat/client`: the conversation without views. */
export {
  createConversation,
  type ConversationClient,
  type ConversationStore,
  type CreateConversationOptions,
} from '../products/client/create-conversation.ts';
export type * from '../products/client/conversation-types.ts';
