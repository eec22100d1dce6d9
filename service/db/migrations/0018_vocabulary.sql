CREATE TABLE "vocabulary" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "vocabulary_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"agent_id" text NOT NULL,
	"source_id" text,
	"action_id" text,
	"revision" text DEFAULT '' NOT NULL,
	"language" text NOT NULL,
	"word" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "vocabulary" ADD CONSTRAINT "vocabulary_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vocabulary" ADD CONSTRAINT "vocabulary_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vocabulary" ADD CONSTRAINT "vocabulary_action_id_actions_id_fk" FOREIGN KEY ("action_id") REFERENCES "public"."actions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- The words as the service normalises them.
INSERT INTO "vocabulary" ("agent_id", "source_id", "action_id", "revision", "language", "word")
	SELECT DISTINCT "agent_id", "source_id", "action_id", "revision", "language", "word"
	FROM "chunks", regexp_split_to_table(
		translate(
			regexp_replace(
				regexp_replace(lower(normalize("title" || ' ' || "body", NFKC)), '[’'']s\y', '', 'g'),
				'[\u064B-\u065F\u0670\u0640’'']', '', 'g'
			),
			'أإآٱىؤئة', 'اااايويه'
		),
		'[^[:alnum:]]+'
	) AS "word"
	WHERE length("word") BETWEEN 4 AND 40 AND "word" !~ '[[:digit:]]';--> statement-breakpoint
CREATE INDEX "vocabulary_words" ON "vocabulary" USING gin ("word" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "vocabulary_source" ON "vocabulary" USING btree ("source_id","revision");--> statement-breakpoint
CREATE INDEX "vocabulary_action" ON "vocabulary" USING btree ("action_id");
