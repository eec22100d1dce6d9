/** Encrypts the stored secrets with the current key, after the key was replaced. */
import { sql } from 'drizzle-orm';
import { DecryptionError, type Encryption } from '../core/encryption.ts';
import { queryRows, type Db } from './database.ts';

/** Responses of an Idempotency-Key are left out: they expire within a day, and are of use without their private members. */
const encryptedColumns = [
  ['webhook_endpoints', 'sealed_secret'],
  ['identity_secrets', 'sealed'],
  ['identity_secrets', 'previous_sealed'],
  ['actions', 'sealed_headers'],
  ['action_calls', 'sealed_arguments'],
  ['demo_keys', 'encrypted'],
] as const;

interface Reencrypted {
  changed: number;
  /** Secrets that neither key decrypts. */
  unreadable: number;
}

/** Each secret is replaced on its own, so that a start that is interrupted, or a second process, continues. */
export const reencryptSecrets = async (db: Db, encryption: Encryption): Promise<Reencrypted> => {
  const result = { changed: 0, unreadable: 0 };
  for (const names of encryptedColumns) {
    const [table, column] = names.map((name) => sql.identifier(name));
    const stored = await queryRows<{ secret: string }>(
      db,
      sql`select ${column} as secret from ${table} where ${column} is not null`,
    );
    for (const { secret } of stored.filter((each) => !encryption.isCurrent(each.secret))) {
      const renewed = renew(encryption, secret);
      if (renewed === undefined) result.unreadable++;
      else {
        await db.execute(sql`update ${table} set ${column} = ${renewed} where ${column} = ${secret}`);
        result.changed++;
      }
    }
  }
  return result;
};

const renew = (encryption: Encryption, secret: string): string | undefined => {
  try {
    return encryption.encrypt(encryption.decrypt(secret));
  } catch (error) {
    if (error instanceof DecryptionError) return undefined;
    throw error;
  }
};
