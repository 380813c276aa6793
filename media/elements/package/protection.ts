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
  if ([payload.kind ?? "hls"].flat().includes("hls")) [single, ...named].forEach(refuseInHls);
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

const strange = ["mpeg-cens", "mpeg-cbc1"];

/** HLS has no method for these patterns (RFC 8216, 4.3.2.4). */
const refuseInHls = (protection: Protection | undefined): void => {
  if (protection && strange.includes(protection.written.schema))
    throw definitionError(
      `${protection.path}.schema "${protection.written.schema}" cannot be played with HLS: use mpeg-cbcs or mpeg-cenc, or make DASH alone`,
    );
};
