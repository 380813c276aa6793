import { capabilityError } from "../../../../../shared/model/failure.ts";
import type { BoxChanges } from "../../../../formats/mp4-rewrite.ts";
import type { Extras } from "../../filters/extras.ts";
import type { Target } from "../../target-schema.ts";
import type { Container } from "../container.ts";

type Request = { readonly target: Target; readonly extras: Pick<Extras, "warn">; readonly path: string };

/** Changes of boxes that the target asks for, in containers made of boxes; all others say that they have none. */
export const boxesOf = ({ target, extras, path }: Request, held: Container): { readonly boxes?: BoxChanges } => {
  const { compatible_brands: more, forced_compatible_brands: instead, vendor } = target.container ?? {};
  const hasAperture = target.video?.mov_atoms?.use_clap === true;
  const isOneFile = /^(mov|mp4|3gp|ismv)$/.test(held.muxer) && !held.isSegments && !held.isPackage;
  const field = more ? "compatible_brands" : instead ? "forced_compatible_brands" : undefined;
  if (field && !isOneFile) throw capabilityError(`${path}.container.${field} is for mov, mp4, fmp4 and 3gp files only`);
  const idle = {
    "container.vendor": vendor && held.muxer !== "mov",
    "video.mov_atoms.use_clap": hasAperture && !isOneFile,
  };
  for (const [name, isIdle] of Object.entries(idle))
    if (isIdle) extras.warn(`${path}.${name} has no effect: ${held.extensions[0]} files have no place for it`);
  const names = instead ?? more;
  const boxes: BoxChanges = {
    ...(names && { brands: { names, replaces: instead !== undefined } }),
    ...(vendor && held.muxer === "mov" && { vendor }),
    ...(hasAperture && isOneFile && { hasAperture }),
  };
  return Object.keys(boxes).length > 0 ? { boxes } : {};
};
