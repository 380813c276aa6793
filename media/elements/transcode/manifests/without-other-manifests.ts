import type { PlanContext } from "../../element.ts";
import type { TranscodePayload } from "../schema.ts";

/**
 * Targets of a transcode without manifests may name those of packages. A package takes all targets that reach it, or those
 * of its processing groups: the names change nothing, and are reported.
 */
export const withoutOtherManifests = ({
  uid,
  payload,
}: PlanContext<TranscodePayload>): { readonly payload: TranscodePayload; readonly warnings: readonly string[] } => {
  if (payload.manifests) return { payload, warnings: [] };
  const warnings = payload.targets.flatMap(({ manifest_uids: uids = [] }, at) =>
    uids.length > 0
      ? [`${uid}.payload.targets[${at}].manifest_uids has no effect: the transcode has no manifests of its own`]
      : [],
  );
  const targets = payload.targets.map((target) => ({ ...target, manifest_uids: undefined }));
  return { payload: warnings.length > 0 ? { ...payload, targets } : payload, warnings };
};
