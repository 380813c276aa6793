import { parseFrameRate, type Rational, toNumber } from "../../../../shared/basics/rational.ts";
import { definitionError } from "../../../../shared/model/failure.ts";
import type { AudioTarget } from "../audio/schema.ts";
import type { Conflict } from "../conflicts/conflict.ts";
import type { VideoTarget } from "../video/schema.ts";
import type { Disc } from "./disc.ts";

type Place = { readonly path: string; readonly conflict: Conflict };

/** A picture within the limits of a disc: what the job leaves open is filled in, what goes beyond them is brought back. */
export const pictureOnDisc = (video: VideoTarget, disc: Disc, rate: Rational, place: Place): VideoTarget => {
  const codec = video.codec ?? "";
  const limits = disc.pictures[codec];
  if (!limits) {
    const known = Object.keys(disc.pictures).join(" or ");
    throw definitionError(`${place.path}.codec ${codec}: a ${disc.name} has ${known}`);
  }
  const { usual, most, buffer, isConstant } = limits;
  const kilobits = within(video.bitrate_kb ?? (video.qscale === undefined ? usual : undefined), most, "bitrate_kb", {
    ...{ disc, place },
  });
  const isSteady = isConstant || video.bitrate_mode === "cbr";
  return {
    ...inShortGroups(video, disc, rate, place),
    bitrate_kb: isConstant ? most : kilobits,
    bitrate_mode: isSteady ? "cbr" : video.bitrate_mode,
    max_bitrate_kb: isSteady
      ? undefined
      : within(video.max_bitrate_kb ?? most, most, "max_bitrate_kb", { disc, place }),
    vbv_buffer_size_kb: within(video.vbv_buffer_size_kb ?? buffer, buffer, "vbv_buffer_size_kb", { disc, place }),
  };
};

/** A sound within the limits of a disc. */
export const soundOnDisc = (audio: AudioTarget, disc: Disc, codec: string, place: Place): AudioTarget => {
  if (!(codec in disc.sounds)) {
    const known = Object.keys(disc.sounds).join(", ");
    throw definitionError(`${place.path}.codec ${codec}: a ${disc.name} has ${known}`);
  }
  const { sample_rate } = audio;
  if (sample_rate !== undefined && sample_rate !== disc.sampleRate)
    place.conflict(`${place.path}.sample_rate ${sample_rate}: a ${disc.name} has ${disc.sampleRate}`);
  const limits = disc.sounds[codec];
  const kilobits = limits && within(audio.bitrate_kb ?? limits.usual, limits.most, "bitrate_kb", { disc, place });
  return { ...audio, sample_rate: disc.sampleRate, ...(kilobits !== undefined && { bitrate_kb: kilobits }) };
};

type Limit = { readonly disc: Disc; readonly place: Place };

const within = (
  value: number | undefined,
  most: number,
  field: string,
  { disc, place: { path, conflict } }: Limit,
): number | undefined => {
  if (value === undefined || value <= most) return value;
  conflict(`${path}.${field} ${value} is more than the ${most} of a ${disc.name}`);
  return most;
};

const gopFields = [
  ...(["exact_gop_frames", "max_gop_frames", "exact_keyframe_interval_sec", "max_keyframe_interval_sec"] as const),
  "idr_interval",
] as const;

const inShortGroups = (video: VideoTarget, disc: Disc, rate: Rational, { path, conflict }: Place): VideoTarget => {
  const most = disc.group(rate);
  const { exact_gop_frames, max_gop_frames, exact_keyframe_interval_sec, max_keyframe_interval_sec, idr_interval } =
    video;
  const seconds = [
    exact_keyframe_interval_sec,
    max_keyframe_interval_sec,
    idr_interval?.seconds,
    idr_interval?.max_sec,
  ];
  const frames = [exact_gop_frames, max_gop_frames, idr_interval?.frames, idr_interval?.max_frames];
  const asked = [...frames, ...seconds.map((each) => each && Math.round(each * toNumber(rate)))].filter(
    (each) => each !== undefined,
  );
  if (asked.every((each) => each <= most)) return asked.length > 0 ? video : { ...video, max_gop_frames: most };
  const field = gopFields.find((name) => video[name] !== undefined) ?? "max_gop_frames";
  conflict(`${path}.${field}: groups of ${Math.max(...asked)} pictures are longer than the ${most} of a ${disc.name}`);
  const left = Object.fromEntries(Object.entries(video).filter(([name]) => !gopFields.some((each) => each === name)));
  return { ...(left as VideoTarget), max_gop_frames: most }; // without some of its optional fields it is one still
};

export const rateOf = (video: VideoTarget, own: Rational | undefined): Rational | undefined =>
  video.frame_rate === undefined ? own : parseFrameRate(video.frame_rate);
