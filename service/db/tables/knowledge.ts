/** The knowledge of an agent: sources, products and actions, and the search index. */
import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import { bigint, boolean, index, integer, numeric, pgTable, real, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Availability, JsonObject } from '../../../contract/wire.ts';
import type { Language } from '../../core/language.ts';
import { jsonb, moment, searchVector, text } from './columns.ts';
import { agentColumn } from './workspace.ts';

export type ActionKind = 'http' | 'collect_data' | 'client_tool' | 'integration';
export type ActionMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type DataAccess = 'none' | 'visitor' | 'contact';
export type SourceType = 'text' | 'file' | 'website' | 'sheet' | 'qa_bulk' | 'faq' | 'research';
export type SourceStatus = 'uploaded' | 'crawling' | 'parsing' | 'chunking' | 'embedding' | 'indexed' | 'failed';

/** A question with its answer and other wordings of the question. */
export interface QuestionItem {
  question: string;
  answer: string;
  alternatives: string[];
}

export const sources = pgTable(
  'sources',
  {
    id: text().primaryKey(),
    agentId: agentColumn(),
    type: text().$type<SourceType>().notNull(),
    name: text().notNull(),
    status: text().$type<SourceStatus>().notNull(),
    error: text(),
    version: integer().notNull().default(1),
    sourceUrl: text('source_url'),
    /** The text of a text source. */
    content: text(),
    /** Of the text in UTF-8. Stored, because a list would have to read every text to count and hash it. */
    contentBytes: integer('content_bytes').generatedAlwaysAs((): SQL => sql`octet_length(${sources.content})`),
    contentCharacters: integer('content_characters').generatedAlwaysAs((): SQL => sql`length(${sources.content})`),
    contentSha256: text('content_sha256').generatedAlwaysAs((): SQL => sql`text_sha256(${sources.content})`),
    /** The items of an imported batch of questions. */
    items: jsonb().$type<QuestionItem[]>(),
    chunkCount: integer('chunk_count').notNull().default(0),
    extractedChars: integer('extracted_chars').notNull().default(0),
    /** The revision of the chunks that searches find. */
    indexedRevision: text('indexed_revision').notNull().default(''),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [index('sources_page').on(table.agentId, table.createdAt, table.id)],
);

/** The columns of a source without its text and its questions, which can have megabytes. */
export const sourceColumns = (({ content: _content, items: _items, ...columns }) => columns)(getTableColumns(sources));

export const actions = pgTable(
  'actions',
  {
    id: text().primaryKey(),
    agentId: agentColumn(),
    name: text().notNull(),
    kind: text().$type<ActionKind>().notNull(),
    descriptionEn: text('description_en').notNull().default(''),
    descriptionAr: text('description_ar').notNull().default(''),
    inputSchema: jsonb('input_schema').$type<JsonObject>().notNull().default({}),
    config: jsonb().$type<JsonObject>().notNull().default({}),
    enabled: boolean().notNull().default(false),
    method: text().$type<ActionMethod>().notNull().default('POST'),
    urlTemplate: text('url_template').notNull().default(''),
    outputPick: text('output_pick').array().notNull().default([]),
    dataAccess: text('data_access').$type<DataAccess>().notNull().default('none'),
    requiresApproval: boolean('requires_approval').notNull().default(false),
    headerNames: text('header_names').array().notNull().default([]),
    /** The encrypted headers, names and values. */
    encryptedHeaders: text('sealed_headers'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [uniqueIndex('actions_name').on(table.agentId, table.name)],
);

/** The column of a table whose rows are deleted with their action. */
export const actionColumn = () =>
  text('action_id')
    .notNull()
    .references(() => actions.id, { onDelete: 'cascade' });

/** The search index: a passage of a source, a wording of a question, or a wording that requests an action. */
export const chunks = pgTable(
  'chunks',
  {
    id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
    agentId: agentColumn(),
    sourceId: text('source_id').references(() => sources.id, { onDelete: 'cascade' }),
    actionId: text('action_id').references(() => actions.id, { onDelete: 'cascade' }),
    /** The run of the indexing that stored the chunk. A search finds the source's indexed revision only. */
    revision: text().notNull().default(''),
    kind: text().$type<'passage' | 'question' | 'action'>().notNull(),
    language: text().$type<Language>().notNull(),
    /** The heading of a passage, or the question. */
    title: text().notNull(),
    /** The passage, or the answer to the question. */
    body: text().notNull(),
    titleTerms: text('title_terms').notNull(),
    bodyTerms: text('body_terms').notNull(),
    /** The version of the rules that made the terms: `termsVersion`. */
    termsVersion: integer('terms_version').notNull().default(1),
    /** The vector of the meaning, and the model that it is from. Null without such a model, and until a job has stored it. */
    embedding: real().array(),
    embeddingModel: text('embedding_model'),
    vector: searchVector().generatedAlwaysAs(
      (): SQL => sql`to_tsvector('simple', ${chunks.titleTerms} || ' ' || ${chunks.bodyTerms})`,
    ),
  },
  (table) => [
    index('chunks_agent').on(table.agentId, table.language),
    index('chunks_vector').using('gin', table.vector),
    index('chunks_source').on(table.sourceId, table.revision),
    index('chunks_action').on(table.actionId),
  ],
);

/**
 * The words of the chunks, to find the word that a misspelled one stands for. A word has a row for each source or action, and
 * the same revision as the chunks, so that it is published and deleted with them.
 */
export const vocabulary = pgTable(
  'vocabulary',
  {
    id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
    agentId: agentColumn(),
    sourceId: text('source_id').references(() => sources.id, { onDelete: 'cascade' }),
    actionId: text('action_id').references(() => actions.id, { onDelete: 'cascade' }),
    revision: text().notNull().default(''),
    language: text().$type<Language>().notNull(),
    word: text().notNull(),
  },
  (table) => [
    // Without the pending list, no insert has to merge the entries of many others. An index with the agent in front would need
    // the extension btree_gin, with which PGlite does not end some queries.
    index('vocabulary_words').using('gin', table.word.op('gin_trgm_ops')).with({ fastupdate: false }),
    index('vocabulary_source').on(table.sourceId, table.revision),
    index('vocabulary_action').on(table.actionId),
  ],
);

export const products = pgTable(
  'products',
  {
    id: text().primaryKey(),
    agentId: agentColumn(),
    nameEn: text('name_en').notNull(),
    nameAr: text('name_ar').notNull(),
    descriptionEn: text('description_en').notNull(),
    descriptionAr: text('description_ar').notNull(),
    price: numeric({ precision: 10, scale: 3, mode: 'number' }).notNull(),
    currency: text().notNull(),
    availability: text().$type<Availability>().notNull(),
    url: text(),
    position: integer().notNull(),
  },
  (table) => [index('products_agent').on(table.agentId, table.position)],
);
