DROP INDEX "agents_page";--> statement-breakpoint
DROP INDEX "contacts_page";--> statement-breakpoint
DROP INDEX "memories_contact";--> statement-breakpoint
DROP INDEX "sources_page";--> statement-breakpoint
DROP INDEX "conversations_page";--> statement-breakpoint
DROP INDEX "leads_page";--> statement-breakpoint
DROP INDEX "submissions_page";--> statement-breakpoint
DROP INDEX "deliveries_log";--> statement-breakpoint
DROP INDEX "webhook_endpoints_page";--> statement-breakpoint
DROP INDEX "tickets_page";--> statement-breakpoint
DROP INDEX "action_calls_page";--> statement-breakpoint
CREATE INDEX "contacts_verified" ON "contacts" USING btree ("workspace_id","verified","last_seen_at","id");--> statement-breakpoint
CREATE INDEX "memories_agent" ON "memories" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "chunks_action" ON "chunks" USING btree ("action_id");--> statement-breakpoint
CREATE INDEX "products_agent" ON "products" USING btree ("agent_id","position");--> statement-breakpoint
CREATE INDEX "conversations_state" ON "conversations" USING btree ("agent_id","state","started_at","id");--> statement-breakpoint
CREATE INDEX "conversations_channel" ON "conversations" USING btree ("agent_id","channel","started_at","id");--> statement-breakpoint
CREATE INDEX "tool_calls_conversation" ON "tool_calls" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "tool_calls_action" ON "tool_calls" USING btree ("action_id");--> statement-breakpoint
CREATE INDEX "bookings_conversation" ON "bookings" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "bookings_lead" ON "bookings" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "leads_status" ON "leads" USING btree ("workspace_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "leads_agent" ON "leads" USING btree ("agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "submissions_action" ON "submissions" USING btree ("action_id","created_at","id");--> statement-breakpoint
CREATE INDEX "submissions_conversation" ON "submissions" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "deliveries_event" ON "deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "tickets_status" ON "tickets" USING btree ("workspace_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "tickets_agent" ON "tickets" USING btree ("agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "tickets_assignee" ON "tickets" USING btree ("assignee_id","created_at","id");--> statement-breakpoint
CREATE INDEX "tickets_contact" ON "tickets" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "tickets_updated" ON "tickets" USING btree ("workspace_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "action_calls_failures" ON "action_calls" USING btree ("action_id","at","id") WHERE outcome in ('failed', 'refused', 'expired');--> statement-breakpoint
CREATE INDEX "action_calls_waiting" ON "action_calls" USING btree ("action_id") WHERE outcome = 'waiting';--> statement-breakpoint
CREATE INDEX "action_calls_ticket" ON "action_calls" USING btree ("ticket_id");--> statement-breakpoint
CREATE INDEX "agents_page" ON "agents" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "contacts_page" ON "contacts" USING btree ("workspace_id","last_seen_at","id");--> statement-breakpoint
CREATE INDEX "memories_contact" ON "memories" USING btree ("contact_id","agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sources_page" ON "sources" USING btree ("agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "conversations_page" ON "conversations" USING btree ("agent_id","started_at","id");--> statement-breakpoint
CREATE INDEX "leads_page" ON "leads" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "submissions_page" ON "submissions" USING btree ("agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "deliveries_log" ON "deliveries" USING btree ("endpoint_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_page" ON "webhook_endpoints" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "tickets_page" ON "tickets" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "action_calls_page" ON "action_calls" USING btree ("action_id","at","id");