import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../shared/basics/errors.ts";
import type { Secret } from "../../shared/basics/secret.ts";
import { writeDurably } from "./durable-file.ts";

/** Encrypts what lies on the disk and must be readable again: AES-256-GCM, a nonce of its own for each text. */
export type Cipher = {
  readonly seal: (text: string) => string;
  /** Throws if the text was not made by `seal` with the same key. */
  readonly open: (sealed: string) => string;
};

export const createCipher = (key: Buffer): Cipher => ({
  seal: (text) => {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, iv);
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
  },
  open: (sealed) => {
    const bytes = Buffer.from(sealed, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
  },
});

/** The key that was given in base64, or else the one beside the database, mode 0600, which is made if there is none. */
export const readSealingKey = (folder: string, given?: Secret): Buffer => {
  if (given !== undefined) return keyIn(given);
  const file = join(folder, "secret.key");
  try {
    return readFileSync(file);
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code !== "ENOENT") throw problem; // fs throws these
    const key = randomBytes(32);
    // What is sealed with it is durable soon: a power cut must not leave that without the key.
    writeDurably(file, key);
    return key;
  }
};

const keyIn = (text: Secret): Buffer => {
  const key = Buffer.from(text.reveal(), "base64");
  if (key.length === 32) return key;
  throw new AppError(
    "VALIDATION_FAILED",
    "MEDIAFARM_SECRET_KEY cannot be used: it must be 32 bytes in base64, such as `openssl rand -base64 32` prints",
  );
};

/**
 * Texts that may hold secrets are stored as `{"$sealed": "<encrypted>"}` and nothing else. What somebody else wrote in that
 * form is encrypted too, so the stored form is always ours.
 */
const sealedForm = /^\{"\$sealed":"([\w-]+)"\}$/;

export const isSealed = (text: string): boolean => sealedForm.test(text);

/** The stored form of a text. */
export const sealed = ({ seal }: Pick<Cipher, "seal">, text: string): string => JSON.stringify({ $sealed: seal(text) });

/** The text that was stored. */
export const opened = ({ open }: Pick<Cipher, "open">, stored: string): string => {
  const [, secret] = sealedForm.exec(stored) ?? [];
  return secret === undefined ? stored : open(secret);
};
