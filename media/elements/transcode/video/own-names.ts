import type { z } from "zod";
import { videoCodecOf } from "./index.ts";

const named = ["profile", "level", "tune"] as const;

/**
 * A profile, level or tune that does not exist is told with the names that the track's own codec has, not with those of all
 * codecs: whoever reads the message takes the next name from it.
 */
export const tellOwnNames = (
  video: { readonly codec?: string | undefined } | null,
  { issues }: z.RefinementCtx,
): void => {
  const known = videoCodecOf(video?.codec ?? "")?.values;
  for (const [at, issue] of issues.entries()) {
    const field = named.find((name) => issue.path?.length === 1 && issue.path[0] === name);
    const values = field && known?.[field];
    if (values && issue.code === "invalid_value") issues[at] = { ...issue, values: [...values] };
  }
};
