/** The operations of the API contract. */

/** The complete list of the contract's operations, to detect added and removed ones. */
export const operations: string[] = `
GET /me
GET /agents
GET /agents/{agent_id}
PATCH /agents/{agent_id}
GET /agents/{agent_id}/sources
POST /agents/{agent_id}/sources
GET /agents/{agent_id}/sources/{source_id}
PATCH /agents/{agent_id}/sources/{source_id}
DELETE /agents/{agent_id}/sources/{source_id}
GET /agents/{agent_id}/sources/{source_id}/content
POST /agents/{agent_id}/sources/questions
POST /agents/{agent_id}/chat
POST /agents/{agent_id}/chat/tool-results
GET /agents/{agent_id}/conversations
GET /conversations/{conversation_id}
GET /conversations/{conversation_id}/messages
GET /contacts
POST /contacts
GET /contacts/{contact_id}
PATCH /contacts/{contact_id}
DELETE /contacts/{contact_id}
GET /leads
GET /leads/{lead_id}
PATCH /leads/{lead_id}
DELETE /leads/{lead_id}
GET /agents/{agent_id}/lead-fields
GET /tickets
GET /tickets/{ticket_id}
PATCH /tickets/{ticket_id}
GET /agents/{agent_id}/actions
POST /agents/{agent_id}/actions
PATCH /agents/{agent_id}/actions/{action_id}
DELETE /agents/{agent_id}/actions/{action_id}
GET /agents/{agent_id}/actions/{action_id}/calls
GET /agents/{agent_id}/submissions
GET /usage
GET /webhooks
POST /webhooks
DELETE /webhooks/{webhook_id}`
  .trim()
  .split('\n')
  .toSorted((a, b) => a.localeCompare(b));
