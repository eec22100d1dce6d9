/** The resource Source. */
import { z } from '@hono/zod-openapi';
import type { ListedSource } from '../db/records.ts';

export const sourceOut = z
  .object({
    id: z.string(),
    type: z.enum(['text', 'file', 'website', 'sheet', 'qa_bulk', 'faq', 'research']),
    name: z.string(),
    status: z.enum(['uploaded', 'crawling', 'parsing', 'chunking', 'embedding', 'indexed', 'failed']),
    error: z.string().nullable(),
    size_bytes: z.number().int().nullable(),
    pages: z.number().int().nullable(),
    chunk_count: z.number().int(),
    extracted_chars: z.number().int(),
    version: z.number().int(),
    source_url: z.string().nullable(),
    content_sha256: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi('Source');

export type SourceOut = z.infer<typeof sourceOut>;

export const serializeSource = (source: ListedSource): SourceOut => {
  return {
    id: source.id,
    type: source.type,
    name: source.name,
    status: source.status,
    error: source.error,
    size_bytes: source.contentBytes,
    pages: null,
    chunk_count: source.chunkCount,
    extracted_chars: source.extractedChars,
    version: source.version,
    source_url: source.sourceUrl,
    content_sha256: source.type === 'text' ? source.contentSha256 : null,
    created_at: source.createdAt.toISOString(),
    updated_at: source.updatedAt.toISOString(),
  };
};
