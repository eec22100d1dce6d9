/**
 * Secrets that have to be read again, to sign with them, are sealed: whoever has the database alone has none of them.
 * The key lies outside it, in `WORKSPACE_SEAL_KEY` or in the data folder.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Seal {
  close(secret: string): string;
  /** @throws {SealBrokenError} When it was closed with another key, or has been tampered with. */
  open(sealed: string): string;
}

export class SealBrokenError extends Error {
  constructor() {
    super('A sealed secret cannot be opened with this key.');
    this.name = 'SealBrokenError';
  }
}

export const createSeal = (phrase: string): Seal => {
  const key = createHash('sha256').update(phrase).digest();
  return {
    close(secret) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(sealed) {
      try {
        const bytes = Buffer.from(sealed, 'base64url');
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
        decipher.setAuthTag(bytes.subarray(12, 28));
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
      } catch {
        throw new SealBrokenError();
      }
    },
  };
};

/** Kept beside the database when there is a folder; otherwise the secrets live as long as the process. */
export const sealPhrase = async (folder: string | undefined): Promise<string> => {
  const given = process.env['WORKSPACE_SEAL_KEY'];
  if (given) return given;
  const made = randomBytes(32).toString('base64url');
  if (folder === undefined) return made;
  const path = join(folder, 'seal.key');
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(path, made, { mode: 0o600, flag: 'wx' });
    return made;
  } catch {
    await chmod(path, 0o600);
    return readFile(path, 'utf8');
  }
};
