/** Exports what the service stores about a person: a ZIP file with a JSON file for each kind of row, and a page to read. */
import { getTableColumns, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { strToU8, zipSync } from 'fflate';
import type { Encryption } from '../core/encryption.ts';
import type { Language } from '../core/language.ts';
import type { Db } from '../db/database.ts';
import type { Contact } from '../db/records.ts';
import { exportPage, type ExportedRow, type ExportedSection } from './export-page.ts';
import { personalRows } from './personal-data.ts';
import { tracesOf } from './traces.ts';

/** Secrets, and the state of the service's own work. They say nothing about the person. */
const omitted = new Set(
  `token_hash turn_holder turn_until holder lease_until email_key phone_key
  encrypted_members caller_hash body_hash api_key_id key`.split(/\s+/),
);

export const personalDataOf = async (
  { db, encryption }: { db: Db; encryption: Encryption },
  contact: Contact,
): Promise<ExportedSection[]> => {
  return db.transaction(
    async (tx) => {
      const traces = await tracesOf(tx, contact);
      const sections: ExportedSection[] = [];
      for (const { section, table, where, order, members } of personalRows(contact, traces)) {
        const rows = await tx
          .select()
          .from(table)
          .where(where ?? sql`false`)
          .orderBy(...order);
        sections.push({ section, rows: rows.map((row) => exportedRow(table, row, { encryption, members })) });
      }
      // The contact and the conversations first, which the other rows are about.
      return sections.toReversed();
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
};

/** Returns a row with the column names of the database. Encrypted inputs of a call that was not sent yet are decrypted. */
const exportedRow = (
  table: PgTable,
  row: ExportedRow,
  { encryption, members }: { encryption: Encryption; members: string[] | undefined },
): ExportedRow => {
  const columns = Object.entries(getTableColumns(table)).filter(
    ([member, { name }]) => !omitted.has(name) && (members?.includes(member) ?? true),
  );
  return Object.fromEntries(
    columns.map(([member, { name }]) => {
      const value = row[member];
      if (name !== 'sealed_arguments') return [name, value];
      return ['arguments', typeof value === 'string' ? decryptedArguments(value, encryption) : null];
    }),
  );
};

/** Returns null when the key was replaced since. Nobody can read the inputs any more. */
const decryptedArguments = (encrypted: string, encryption: Encryption): unknown => {
  const text = encryption.decrypt(encrypted);
  return text === undefined ? null : (JSON.parse(text) as unknown);
};

export const exportContact = (sections: ExportedSection[], language: Language, at: Date): Uint8Array<ArrayBuffer> => {
  const files = sections.map(({ section, rows }) => [`${section}.json`, `${JSON.stringify(rows, null, 2)}\n`] as const);
  const page = ['index.html', exportPage(sections, language, at)] as const;
  return new Uint8Array(zipSync(Object.fromEntries([page, ...files].map(([name, text]) => [name, strToU8(text)]))));
};
