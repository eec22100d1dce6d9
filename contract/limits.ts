/** The limits of the Workspace Assistant API v2 that the widget and the service both apply (the contract's "Limits"). */

/** Characters of one visitor message. A longer message is rejected with 422. */
export const maxMessageLength = 8_000;

/** Names in `client_tools` of one chat request. */
export const maxClientTools = 20;

/** Characters of a client tool's name. */
export const maxClientToolNameLength = 64;

/** A client tool's name is snake_case. */
export const clientToolNamePattern = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

/** Characters of a tool result's `result`, serialized as JSON. */
export const maxToolResultLength = 8_000;

/** Characters of a tool result's `error`. The service cuts off the rest. */
export const maxToolErrorLength = 120;

/** Milliseconds that an app has to return a tool result, unless the action's `timeout_ms` says otherwise. */
export const defaultToolTimeoutMs = 15_000;

/** Milliseconds from the start of a conversation until it expires. */
export const conversationLifetimeMs = 24 * 60 * 60 * 1000;

/** Milliseconds for which an Idempotency-Key returns the first response. */
export const idempotencyWindowMs = 24 * 60 * 60 * 1000;

/** Calls that a key may make in a minute. A publishable key has this allowance for each calling address. */
export const callsPerMinute = 60;

/** Chat calls among them. */
export const chatCallsPerMinute = 20;

/** Bytes of a request body. */
export const maxBodyBytes = 1024 * 1024;

/** Bytes of a request body that carries the text of a source. */
export const maxTextSourceBodyBytes = 3 * 1024 * 1024;

/** Characters of an agent's name. */
export const maxAgentNameLength = 120;

/** Items of one page of a list, and the number without `limit`. */
export const maxPageSize = 100;
export const defaultPageSize = 20;

/** Items of one question import. */
export const maxQuestionImportItems = 100;

/** Keys of a contact's attributes, and of the attributes in an identity token. */
export const maxContactAttributes = 20;

/** Characters of one attribute's text. */
export const maxAttributeLength = 200;

/** Seconds from now until the latest `exp` of an identity token. */
export const maxIdentityTokenLifetimeSeconds = 24 * 60 * 60;

/** Seconds after `exp` in which an identity token is still accepted. */
export const identityTokenToleranceSeconds = 60;

/** Webhook endpoints of a workspace. */
export const maxWebhookEndpoints = 10;

/** Milliseconds that a webhook endpoint has to respond. */
export const webhookTimeoutMs = 8_000;
