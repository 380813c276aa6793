import type { PlanContext } from "../../element.ts";
import type { TranscodePayload } from "../schema.ts";

/** The length of sections where a job asks for them and names none. Seconds. */
const usualSeconds = 60;

/** How long the sections of a transcode are to be, in seconds; undefined: it is made in one piece. */
export const secondsOfSections = ({
  payload,
  modifications = [],
}: PlanContext<TranscodePayload>): number | undefined => {
  const asked = modifications.findLast(({ kind }) => kind === "transcode_segmented_rendering")?.fields;
  const { segmented_rendering: own } = payload.source_pipeline ?? {};
  if (!asked && !own) return undefined;
  const seconds = asked?.duration_sec ?? own?.duration_sec ?? usualSeconds;
  return typeof seconds === "number" && seconds > 0 ? seconds : usualSeconds;
};
