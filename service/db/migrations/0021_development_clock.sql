CREATE TABLE "clock_offset" (
	"id" integer PRIMARY KEY NOT NULL,
	"milliseconds" bigint NOT NULL
);
