import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** 256 random bits in letters, digits, `-` and `_`, because clients put secrets into URLs unescaped. */
export const newSecret = (): string => randomBytes(32).toString("base64url");
export const newSalt = (): Buffer => randomBytes(16);
export const newId = (): string => randomBytes(9).toString("base64url");

/** Enough for secrets of 256 random bits; people's passwords need a slow hash. */
export const hashSecret = (secret: string): string => hash("sha256", secret, "hex");

/** Takes the same time wherever texts differ. It reveals only the length, and the lengths of our secrets are known. */
export const isEqualText = (a: string, b: string): boolean => {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
};

export type Vault = {
  readonly seal: (text: string) => string;
  /** Throws if the text was not made by `seal`. */
  readonly open: (sealed: string) => string;
  /** A hash that recognises equal texts, and reveals nothing without the key. */
  readonly mark: (text: string) => string;
};

/** Encrypts data that must be readable again (AES-256-GCM), with a key beside the database, mode 0600. */
export const createVault = (folder: string): Vault => {
  const key = readOrMakeKey(join(folder, "secret.key"));
  const markKey = createHmac("sha256", key).update("marks").digest();
  return {
    mark: (text) => createHmac("sha256", markKey).update(text).digest("base64url"),
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
  };
};

const readOrMakeKey = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code !== "ENOENT") throw problem; // fs throws these
    const key = randomBytes(32);
    writeFileSync(file, key, { mode: 0o600, flag: "wx" });
    return key;
  }
};
