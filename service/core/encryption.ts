/**
 * Encrypts secrets that the service has to read again, for example to sign with them. The key is not in the database: it
 * comes from `WORKSPACE_ENCRYPTION_KEY` or from the data folder, so a copy of the database alone reveals no secret.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

export interface Encryption {
  encrypt(secret: string): string;
  /** Returns undefined when the text was encrypted with another key, or was changed. */
  decrypt(encrypted: string): string | undefined;
  /** Whether the passphrase may be guessed by who has a copy of the database. */
  readonly isWeak: boolean;
  /** Whether the text was encrypted with the current key, and not with the previous one. */
  isCurrent(encrypted: string): boolean;
}

/** `openssl rand -base64 32`, as the docs ask for, prints 44 characters. */
const minPassphraseLength = 32;

/** @param previous The key that was used before, with which texts can still be decrypted. */
export const createEncryption = (passphrase: string, previous?: string): Encryption => {
  const keyOf = (text: string) => createHash('sha256').update(text).digest();
  const key = keyOf(passphrase);
  const keys = previous === undefined ? [key] : [key, keyOf(previous)];
  return {
    isWeak: passphrase.length < minPassphraseLength,
    encrypt(secret) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    decrypt(encrypted) {
      for (const each of keys) {
        const secret = decryptWith(each, encrypted);
        if (secret !== undefined) return secret;
      }
      return undefined;
    },
    isCurrent: (encrypted) => decryptWith(key, encrypted) !== undefined,
  };
};

const decryptWith = (key: Buffer, encrypted: string): string | undefined => {
  try {
    const bytes = Buffer.from(encrypted, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
};

/** The files of a data folder that may hold the passphrase: the current name, then the name in older versions. */
export const passphraseFiles = ['encryption.key', 'seal.key'];

/** Returns the passphrase from the environment, or the one in the data folder. */
export const storedPassphrase = async (folder: string | undefined): Promise<string | undefined> => {
  const { WORKSPACE_ENCRYPTION_KEY: configured, WORKSPACE_SEAL_KEY: oldName } = process.env;
  if (configured || oldName) return configured || oldName;
  if (folder === undefined) return undefined;
  for (const name of passphraseFiles) {
    const path = join(folder, name);
    const stored = await readFile(path, 'utf8').catch(() => undefined);
    if (stored === undefined) continue;
    await chmod(path, 0o600);
    return stored;
  }
  return undefined;
};

/**
 * Returns the stored passphrase. Creates the file when there is none. Without a folder the passphrase is random and lives as
 * long as the process.
 */
export const encryptionPassphrase = async (folder: string | undefined): Promise<string> => {
  const stored = await storedPassphrase(folder);
  if (stored !== undefined) return stored;
  const created = randomBytes(32).toString('base64url');
  if (folder === undefined) return created;
  makeFolder(folder);
  const path = join(folder, passphraseFiles[0]!);
  try {
    await writeFile(path, created, { mode: 0o600, flag: 'wx' });
    return created;
  } catch {
    // Another process created the file in the meantime.
    return readFile(path, 'utf8');
  }
};
