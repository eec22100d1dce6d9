/**
 * Encrypts secrets that the service has to read again, for example to sign with them. The key is not in the database: it
 * comes from `WORKSPACE_ENCRYPTION_KEY` or from the data folder, so a copy of the database alone reveals no secret.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Encryption {
  encrypt(secret: string): string;
  /** @throws {DecryptionError} When the text was encrypted with another key, or was changed. */
  decrypt(encrypted: string): string;
}

export class DecryptionError extends Error {
  constructor() {
    super('A secret cannot be decrypted with this key.');
    this.name = 'DecryptionError';
  }
}

export const createEncryption = (passphrase: string): Encryption => {
  const key = createHash('sha256').update(passphrase).digest();
  return {
    encrypt(secret) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    decrypt(encrypted) {
      try {
        const bytes = Buffer.from(encrypted, 'base64url');
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
        decipher.setAuthTag(bytes.subarray(12, 28));
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
      } catch {
        throw new DecryptionError();
      }
    },
  };
};

/** The files of a data folder that may hold the passphrase: the current name, then the name in older versions. */
export const passphraseFiles = ['encryption.key', 'seal.key'];

/**
 * Returns the passphrase from the environment, or the one in the data folder. Creates the file when there is none.
 * Without a folder the passphrase is random and lives as long as the process.
 */
export const encryptionPassphrase = async (folder: string | undefined): Promise<string> => {
  const { WORKSPACE_ENCRYPTION_KEY: configured, WORKSPACE_SEAL_KEY: oldName } = process.env;
  if (configured || oldName) return (configured || oldName)!;
  const created = randomBytes(32).toString('base64url');
  if (folder === undefined) return created;
  await mkdir(folder, { recursive: true });
  for (const name of passphraseFiles) {
    const path = join(folder, name);
    const stored = await readFile(path, 'utf8').catch(() => undefined);
    if (stored === undefined) continue;
    await chmod(path, 0o600);
    return stored;
  }
  const path = join(folder, passphraseFiles[0]!);
  try {
    await writeFile(path, created, { mode: 0o600, flag: 'wx' });
    return created;
  } catch {
    // Another process created the file in the meantime.
    return readFile(path, 'utf8');
  }
};
