import type { MediaFacts } from "../../../../asset.ts";
import { TaskError } from "../../../../causes.ts";
import { parseFrameRate, toNumber } from "../../../../rational.ts";
import { constantRate } from "../../../../virtual-source/zero.ts";
import type { Target } from "../../schema.ts";

/** How much faster than its source a target plays, and whether voices keep their pitch. */
export type Speed = { readonly factor: number; readonly keepsPitch: boolean };

const [slowest, fastest] = [0.05, 20];

/** Several changes of speed become one. Undefined where nothing changes. Throws TaskError `definition`. */
export const speedOf = ({ container, video, audio = [] }: Target, path: string): Speed | undefined => {
  const changes = (container?.filters ?? []).flatMap((each) => (each.kind === "speed_change" ? [each.payload] : []));
  const factor = changes.reduce((product, each) => product * numberOf(each.factor, path), 1);
  if (factor === 1) return undefined;
  if (factor < slowest || factor > fastest) {
    throw new TaskError(
      "definition",
      `${path}.container.filters: a speed of ${factor} is not between ${slowest} and ${fastest}`,
    );
  }
  if ([video, ...audio].some((track) => track?.enabled && track.codec === "copy")) {
    throw new TaskError(
      "definition",
      `${path}.container.filters: the speed of a stream that is copied cannot be changed`,
    );
  }
  return { factor, keepsPitch: changes.every(({ pitch_correction }) => pitch_correction) };
};

/**
 * The change that brings every picture of the source to the target's rate, if the two differ by no more than the
 * target allows. Undefined where the job does not ask for it.
 */
export const autoSpeedOf = (
  { container, video, audio = [] }: Target,
  { video: pictures }: MediaFacts,
): Speed | undefined => {
  const most = container?.auto_speed_change_delta_percent;
  const picture = pictures.find(({ isCover }) => !isCover);
  const [from, to] = [picture && constantRate(picture), parseFrameRate(video?.frame_rate)];
  if (!most || !from || !to || [video, ...audio].some((track) => track?.codec === "copy")) return undefined;
  const factor = toNumber(to) / toNumber(from);
  return factor !== 1 && Math.abs(factor - 1) * 100 <= most ? { factor, keepsPitch: true } : undefined;
};

const numberOf = (factor: number | string, path: string): number => {
  if (typeof factor === "number") return factor;
  throw new TaskError("definition", `${path}.container.filters: speed_change.factor "${factor}" has no value here`);
};
