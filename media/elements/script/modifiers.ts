import type { Modification } from "../element.ts";
import type { ScriptPayload } from "./schema.ts";

/** A script's changes to other elements, by their uid. */
export const modificationsOf = (payload: ScriptPayload): readonly (Modification & { readonly target: string })[] =>
  payload.kind === "job_modifier"
    ? payload.payload.modifiers.map(({ kind, target_element_uid: target, ...fields }) => ({ target, kind, fields }))
    : [];

/** Uids that a script names, and where. */
export const uidsIn = (payload: ScriptPayload): { readonly path: readonly PropertyKey[]; readonly uid: string }[] => {
  if (payload.kind === "job_modifier") {
    return payload.payload.modifiers.map(({ target_element_uid: uid }, index) => ({
      ...{ uid, path: ["payload", "modifiers", index, "target_element_uid"] },
    }));
  }
  if (payload.kind === "javascript") return [];
  return (payload.payload.sources ?? []).map(({ source_reference: uid }, index) => ({
    ...{ uid, path: ["payload", "sources", index, "source_reference"] },
  }));
};
