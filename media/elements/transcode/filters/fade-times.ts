import { z } from "zod";
import { looseNumber } from "../../../../shared/basics/loose-values.ts";
import { toNumber, toSeconds } from "../../../../shared/basics/rational.ts";
import { definitionError } from "../../../../shared/model/failure.ts";
import type { Timing } from "../../../virtual-source/virtual-source.ts";

export const fadePayload = z.looseObject({
  mode: z.enum(["in", "out"]).default("in"),
  start_sec: looseNumber(0).optional(),
  duration_sec: looseNumber(0).optional(),
});
export type FadePayload = z.output<typeof fadePayload>;

/** Seconds of a fade without a duration. */
const usual = 1;

/** Type, start and duration of a fade. A fade out without a start ends where its source does. */
export const fadeTimes = (
  { mode, start_sec, duration_sec: duration = usual }: FadePayload,
  { timing, path }: { readonly timing: Timing; readonly path: string },
) => {
  const start = start_sec ?? (mode === "in" ? 0 : beforeEnd(duration, timing, path));
  return { type: mode, start_time: toSeconds(start), duration: toSeconds(duration) };
};

const beforeEnd = (duration: number, { duration: whole }: Timing, path: string): number => {
  if (whole) return Math.max(0, toNumber(whole) - duration);
  throw definitionError(`${path} needs a start_sec: the source does not tell how long it is`);
};
