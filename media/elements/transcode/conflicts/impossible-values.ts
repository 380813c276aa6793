import { colorSpaceOf } from "../../../formats/pixel-format.ts";
import type { PayloadConflict } from "../../element.ts";
import type { AudioTarget } from "../audio/schema.ts";
import { onlyCodecOf } from "../standards/index.ts";
import type { Target } from "../target-schema.ts";
import { videoCodecOf } from "../video/index.ts";
import type { VideoTarget } from "../video/schema.ts";
import type { VideoCodec } from "../video/video.ts";

type Fault = { readonly field: string; readonly message: string };

/**
 * Names that a field's list has and the target's codec does not, whatever the source is: they are refused when the job is
 * submitted, by field and value. What `overrides` may still change is left to the plan; what nothing here makes is no
 * contradiction: such jobs are taken, and their tasks say what is missing.
 */
export const impossibleValues = (target: Target, index: number): PayloadConflict[] => {
  const { video, audio = [] } = target;
  const at = ["targets", index];
  return [
    ...refused([standardFault(target)], at),
    ...(video?.enabled && !video.overrides ? refused(faultsOfVideo(video, target), [...at, "video"]) : []),
    ...audio.flatMap((track, place) =>
      track.enabled && !track.overrides ? refused(faultsOfAudio(track), [...at, "audio", place]) : [],
    ),
  ];
};

const refused = (faults: readonly (Fault | undefined)[], at: readonly PropertyKey[]): PayloadConflict[] =>
  faults.flatMap((fault) =>
    fault ? [{ path: [...at, ...fault.field.split(".")], message: fault.message, isStrict: true }] : [],
  );

const no = (field: string, value: unknown, why: string): Fault => ({ field, message: `"${value}" ${why}` });

const faultsOfVideo = (video: VideoTarget, target: Target): (Fault | undefined)[] => {
  const codec = videoCodecOf(video.codec ?? "");
  return [
    ...(codec ? [...unknownNames(video, codec), colorFault(video, codec), formatFault(video, codec)] : []),
    codec && !target.compliance ? rateFault(video, codec) : undefined,
  ];
};

/** A standard that is followed loosely leaves the job its own fields, but no other codec. */
const standardFault = ({ compliance, compliance_enforcement, video, overrides }: Target): Fault | undefined => {
  const isOpen = !video?.enabled || video.overrides !== undefined || overrides !== undefined;
  if (compliance === undefined || isOpen || compliance_enforcement === "strict") return undefined;
  const [only, { codec }] = [onlyCodecOf(compliance), video];
  if (only === undefined || codec === undefined || codec === only || codec === "copy") return undefined;
  return no("compliance", compliance, `has pictures of ${only}, video.codec is ${codec}`);
};

/** Fields that mean nothing to a codec are another matter: they are ignored, or refused of a strict target. */
const unknownNames = (video: VideoTarget, { name, values = {}, reads, scans = ["progressive"] }: VideoCodec) => [
  ...(["profile", "level", "tune", "vtag"] as const).map((field) => {
    const [value, known] = [video[field], values[field]];
    if (value === undefined || !known || known.includes(value) || !reads.includes(field)) return undefined;
    return no(field, value, `is no ${field} of ${name}: there are ${known.join(", ")}`);
  }),
  video.interlace_mode && !scans.includes(video.interlace_mode)
    ? no("interlace_mode", video.interlace_mode, `is not made by ${name}, which has ${scans.join(", ")}`)
    : undefined,
];

const formatFault = (video: VideoTarget, codec: VideoCodec): Fault | undefined => {
  const { chroma_format: format, profile } = video;
  if (format === undefined) return undefined;
  if (!codec.pixelFormats.includes(format))
    return no("chroma_format", format, `is no format of ${codec.name}: there are ${codec.pixelFormats.join(", ")}`);
  const own = profile !== undefined && codec.values?.profile?.includes(profile) && codec.formatsOf?.(profile);
  if (!own || own.includes(format)) return undefined;
  return no("chroma_format", format, `contradicts profile ${profile}, which has ${own.join(", ")}`);
};

const colorFault = ({ color_matrix, chroma_format }: VideoTarget, codec: VideoCodec): Fault | undefined => {
  if (color_matrix !== "rgb") return undefined;
  const formats = chroma_format === undefined ? codec.pixelFormats : [chroma_format];
  if (formats.some((format) => colorSpaceOf(format) === "RGB")) return undefined;
  return no("color_matrix", "rgb", `needs pictures of red, green and blue, which ${codec.name} has not here`);
};

const rateFault = ({ bitrate_mode, bitrate_kb }: VideoTarget, { name, reads }: VideoCodec): Fault | undefined => {
  if (!reads.includes("bitrate_mode") || bitrate_mode === undefined || bitrate_mode === "crf") return undefined;
  if (name === "av1" && bitrate_mode === "cbr")
    return no("bitrate_mode", "cbr", "is for calls only in the encoder of AV1: use vbr with max_bitrate_kb");
  return bitrate_kb === undefined ? no("bitrate_mode", bitrate_mode, "needs a bitrate_kb") : undefined;
};

/** Codecs that keep 16 or 24 bits of a sample. */
const ofTwoDepths = ["alac", "flac", "s302m"];

const faultsOfAudio = (audio: AudioTarget): (Fault | undefined)[] => {
  const { codec = "", sample_size } = audio;
  return [
    sample_size !== undefined && ofTwoDepths.includes(codec) && sample_size !== 16 && sample_size !== 24
      ? no("sample_size", sample_size, `is no size of ${codec}: there are 16 and 24`)
      : undefined,
  ];
};
