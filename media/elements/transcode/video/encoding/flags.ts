import type { Scan } from "../video.ts";

/** The encoder flags for fields and for groups that need no other one: `+ildct+ilme+cgop`. */
export const buildFlags = (wish: {
  readonly scan: Scan;
  readonly isClosed?: boolean | undefined;
}): string | undefined => {
  const flags = [...(wish.scan === "progressive" ? [] : ["ildct", "ilme"]), ...(wish.isClosed ? ["cgop"] : [])];
  return flags.length > 0 ? `+${flags.join("+")}` : undefined;
};
