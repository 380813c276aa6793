import { definitionError } from "../../../shared/model/failure.ts";
import { buildProtection, type Protection } from "../../encryption/protection.ts";
import type { Rendition } from "./renditions.ts";
import type { PackagePayload } from "./schema.ts";

/** The encryption of each rendition; undefined: in the clear. */
export const createProtection = (payload: PackagePayload, uid: string) => {
  const single = payload.encryption && buildProtection(payload.encryption, "encryption", "KEY", uid);
  const named = (payload.encryptions ?? []).map((each, index) =>
    buildProtection(each, `encryptions/${index}`, `KEY${index}`, uid),
  );
  return ({ kind, encryptionId, stem }: Rendition): Protection | undefined => {
    if (kind === "text") return undefined;
    if (encryptionId === undefined) return single ?? (named.length === 1 ? named[0] : undefined);
    const index = (payload.encryptions ?? []).findIndex(({ id }) => id === encryptionId);
    if (index !== -1) return named[index];
    if (payload.encryption?.id === encryptionId) return single;
    if (!single && named.length === 0) return undefined;
    throw definitionError(
      `${uid}: ${stem} is to be encrypted by "${encryptionId}", which ${uid}.payload.encryptions does not have`,
    );
  };
};
