import { createHash, createPrivateKey, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { AppError, messageOf } from "../../shared/basics/errors.ts";

export const hashOf = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");

/** The sums of these files, as `sha256sum --check` reads them. */
export const sumsOf = (files: readonly string[]): string =>
  files.map((file) => `${hashOf(file)}  ${basename(file)}\n`).join("");

/**
 * Writes `SHA256SUMS` of these files into `outDir`, and `SHA256SUMS.sig` beside it if there is a key: the Ed25519 signature
 * of its bytes. `key` is a private key as PEM. Returns what was written.
 */
export const writeSums = (outDir: string, files: readonly string[], key: string | undefined): readonly string[] => {
  const sums = join(outDir, "SHA256SUMS");
  writeFileSync(sums, sumsOf(files));
  if (key === undefined) return [sums];
  const signature = `${sums}.sig`;
  writeFileSync(signature, sign(null, readFileSync(sums), signingKey(key)));
  return [sums, signature];
};

const signingKey = (pem: string) => {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch (problem) {
    throw new AppError("VALIDATION_FAILED", `MEDIAFARM_SIGNING_KEY is no private key as PEM: ${messageOf(problem)}`);
  }
  throw new AppError(
    "VALIDATION_FAILED",
    "MEDIAFARM_SIGNING_KEY is no Ed25519 key: openssl genpkey -algorithm ed25519 makes one",
  );
};
