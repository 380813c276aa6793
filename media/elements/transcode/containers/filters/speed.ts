import { parseFrameRate, toNumber } from "../../../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../../../shared/model/asset.ts";
import { definitionError } from "../../../../../shared/model/failure.ts";
import { constantRate } from "../../../../formats/stream-timing.ts";
import type { Target } from "../../target-schema.ts";

/** How much faster than its source a target plays, and whether voices keep their pitch. */
export type Speed = { readonly factor: number; readonly keepsPitch: boolean };

type Targets = readonly (Target | undefined)[];

const [slowest, fastest] = [0.05, 20];

/** Several changes of speed become one. Undefined where nothing changes. Throws TaskError `definition`. */
export const speedOf = ({ container, video, audio = [] }: Target, path: string): Speed | undefined => {
  const changes = (container?.filters ?? []).flatMap((each) => (each.kind === "speed_change" ? [each.payload] : []));
  const factor = changes.reduce((product, each) => product * numberOf(each.factor, path), 1);
  if (factor === 1) return undefined;
  if (factor < slowest || factor > fastest) {
    throw definitionError(`${path}.container.filters: a speed of ${factor} is not between ${slowest} and ${fastest}`);
  }
  if ([video, ...audio].some((track) => track?.enabled && track.codec === "copy")) {
    throw definitionError(`${path}.container.filters: the speed of a stream that is copied cannot be changed`);
  }
  return { factor, keepsPitch: changes.every(({ pitch_correction }) => pitch_correction) };
};

/** In percent: pictures at 23.976, 29.97 or 59.94 a second are played at the whole rate above. */
const usualMost = 0.13;

/**
 * The change that brings every picture of the source to the target's rate, if the two differ by no more than the
 * target allows. Where it does not say how much, its pictures and those of `all` targets must need the same change:
 * targets that are played together stay together, those without pictures included.
 */
export const autoSpeedOf = (target: Target, all: Targets, facts: MediaFacts): Speed | undefined => {
  const most = target.container?.auto_speed_change_delta_percent;
  if (most !== undefined) return speedWithin(target, facts, most);
  const moving = all.filter((each) => each?.video?.enabled && !isStill(each.video.codec));
  const speeds = moving.map((each) => each && speedWithin(each, facts, usualMost));
  const [common] = speeds;
  return common && common.factor > 1 && speeds.every((each) => each?.factor === common.factor) && !isCopied(target)
    ? common
    : undefined;
};

const speedWithin = (target: Target, { video: pictures }: MediaFacts, most: number): Speed | undefined => {
  const picture = pictures.find(({ isCover }) => !isCover);
  const [from, to] = [picture && constantRate(picture), parseFrameRate(target.video?.frame_rate)];
  if (!from || !to || isCopied(target)) return undefined;
  const factor = toNumber(to) / toNumber(from);
  return factor !== 1 && Math.abs(factor - 1) * 100 <= most ? { factor, keepsPitch: true } : undefined;
};

const isCopied = ({ video, audio = [] }: Target): boolean => [video, ...audio].some((track) => track?.codec === "copy");

const isStill = (codec: string | undefined): boolean => codec === "jpeg" || codec === "png";

const numberOf = (factor: number | string, path: string): number => {
  if (typeof factor === "number") return factor;
  throw definitionError(`${path}.container.filters: speed_change.factor "${factor}" has no value here`);
};
