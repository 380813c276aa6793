import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import { Secret } from "../../shared/basics/secret.ts";
import { type Cipher, createCipher, readSealingKey } from "../store/cipher.ts";

/** 256 random bits in letters, digits, `-` and `_`, because clients put secrets into URLs unescaped. */
export const newSecret = (): Secret => new Secret(randomBytes(32).toString("base64url"));
export const newSalt = (): Buffer => randomBytes(16);
export const newId = (): string => randomBytes(9).toString("base64url");

/** Enough for secrets of 256 random bits; people's passwords need a slow hash. */
export const hashSecret = (secret: Secret): string => hashText(secret.reveal());
export const hashText = (text: string): string => hash("sha256", text, "hex");

/** Takes the same time wherever texts differ. It reveals only the length, and the lengths of our secrets are known. */
export const isEqualText = (a: string, b: string): boolean => {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
};

export const isSameSecret = (a: Secret, b: Secret): boolean => isEqualText(a.reveal(), b.reveal());

export type Vault = Cipher & {
  /** A hash that recognises equal texts, and reveals nothing without the key. */
  readonly mark: (text: string) => string;
};

/** Encrypts with the farm's key. */
export const createVault = (folder: string, given?: Secret): Vault => {
  const key = readSealingKey(folder, given);
  const markKey = createHmac("sha256", key).update("marks").digest();
  return {
    ...createCipher(key),
    mark: (text) => createHmac("sha256", markKey).update(text).digest("base64url"),
  };
};
