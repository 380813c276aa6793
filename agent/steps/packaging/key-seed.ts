import { createHash } from "node:crypto";
import { bytesOfBase64 } from "../../../media/packaging/parse-keys.ts";
import { definitionError } from "../../../shared/model/failure.ts";

/** PlayReady uses as many bytes of a seed, which may be longer. */
const seedBytes = 30;

/**
 * The content key of a key id under PlayReady's key seed algorithm, as 32 hexadecimal digits: three hashes over seed and
 * id, each folded in half, combined. Throws TaskError without repeating the seed.
 */
export const keyOfSeed = (text: string, keyId: string): string => {
  const seed = bytesOfBase64(text.trim())?.slice(0, seedBytes);
  if (seed?.length !== seedBytes) throw definitionError(`key_seed is not at least ${seedBytes} bytes in base64`);
  const id = guidBytes(keyId);
  const hashes = [
    [seed, id],
    [seed, id, seed],
    [seed, id, seed, id],
  ].map(sha256);
  const key = Uint8Array.from({ length: 16 }, (_, at) =>
    hashes.reduce((byte, hash) => byte ^ (hash[at] ?? 0) ^ (hash[at + 16] ?? 0), 0),
  );
  return Buffer.from(key).toString("hex");
};

const sha256 = (parts: readonly Uint8Array[]): Uint8Array => createHash("sha256").update(Buffer.concat(parts)).digest();

/** Microsoft stores the first three groups of an id with the last byte first. */
const guidBytes = (keyId: string): Uint8Array => {
  const bytes = Buffer.from(keyId, "hex");
  const groups = [bytes.subarray(0, 4), bytes.subarray(4, 6), bytes.subarray(6, 8)];
  return Buffer.concat([...groups.map((group) => group.toReversed()), bytes.subarray(8)]);
};
