import { defined } from "../../../../shared/basics/defined.ts";
import { definitionError } from "../../../../shared/model/failure.ts";
import { target as targetSchema } from "../schema.ts";
import type { Target } from "../target-schema.ts";

type Fields = Readonly<Record<string, unknown>>;
type Part = "video" | "audio" | "container";
/** The field that an argument stands for, and its value there; undefined where the argument's value is none. */
type Meaning = readonly [part: Part, field: string, read: (value: string) => unknown];

const kilobits = (value: string): number | undefined => {
  const [, number, unit = ""] = /^(\d{1,12}(?:\.\d{1,3})?)([kKM]?)$/.exec(value) ?? [];
  const factor = { "": 0.001, k: 1, K: 1, M: 1000 }[unit] ?? 1;
  return number === undefined ? undefined : Number(number) * factor;
};
const number = (value: string) => (/^\d{1,9}(\.\d{1,6})?$/.test(value) ? Number(value) : undefined);
const word = (value: string) => (/^[\w.:+/-]{1,100}$/.test(value) ? value : undefined);
const list = (value: string) => (/^[\w.:=,+()|/-]{1,4000}$/.test(value) ? value : undefined);
const among = (words: Readonly<Record<string, string>>) => (value: string) => words[value];
const side = (at: 0 | 1) => (value: string) =>
  /^\d{1,5}x\d{1,5}$/.test(value) ? Number(value.split("x")[at]) : undefined;

const pictureCodecs = {
  ...{ libx264: "h264", h264: "h264", libx265: "h265", hevc: "h265", mpeg2video: "mpeg2", mpeg1video: "mpeg1" },
  ...{ mpeg4: "mpeg4", prores_ks: "prores", prores: "prores", dnxhd: "dnxhd", mjpeg: "mjpeg", libvpx: "vp8" },
  ...{ "libvpx-vp9": "vp9", copy: "copy" },
};
const soundCodecs = {
  ...{ aac: "aac", libmp3lame: "mp3", mp2: "mp2", ac3: "ac3", eac3: "eac3", flac: "flac", alac: "alac", copy: "copy" },
  ...{ libopus: "opus", libvorbis: "vorbis" },
};

const meanings: Readonly<Record<string, readonly Meaning[]>> = {
  "c:v": [["video", "codec", among(pictureCodecs)]],
  "b:v": [["video", "bitrate_kb", kilobits]],
  minrate: [["video", "min_bitrate_kb", kilobits]],
  maxrate: [["video", "max_bitrate_kb", kilobits]],
  bufsize: [["video", "vbv_buffer_size_kb", kilobits]],
  crf: [["video", "crf", number]],
  "q:v": [["video", "qscale", number]],
  g: [["video", "max_gop_frames", number]],
  keyint_min: [["video", "min_gop_frames", number]],
  bf: [["video", "max_bframes", number]],
  refs: [["video", "refs", number]],
  slices: [["video", "slices", number]],
  preset: [["video", "preset", word]],
  tune: [["video", "tune", word]],
  "profile:v": [["video", "profile", word]],
  level: [["video", "level", word]],
  pix_fmt: [["video", "chroma_format", word]],
  r: [["video", "frame_rate", word]],
  s: [
    ["video", "width", side(0)],
    ["video", "height", side(1)],
  ],
  aspect: [["video", "dar", word]],
  "tag:v": [["video", "vtag", word]],
  "x264-params": [["video", "x264_options", list]],
  "x265-params": [["video", "x265_options", list]],
  "c:a": [["audio", "codec", among(soundCodecs)]],
  "b:a": [["audio", "bitrate_kb", kilobits]],
  ac: [["audio", "channels", number]],
  ar: [["audio", "sample_rate", number]],
  movflags: [["container", "movflags", list]],
  brand: [["container", "brand", word]],
};

/** Other spellings of the same arguments. */
const spellings: Readonly<Record<string, string>> = {
  ...{ vcodec: "c:v", "codec:v": "c:v", acodec: "c:a", "codec:a": "c:a", vb: "b:v", ab: "b:a", q: "q:v" },
  ...{ "qscale:v": "q:v", qscale: "q:v", vtag: "tag:v", "profile:v:0": "profile:v", "maxrate:v": "maxrate" },
  ...{
    "minrate:v": "minrate",
    "bufsize:v": "bufsize",
    "crf:v": "crf",
    "g:v": "g",
    "bf:v": "bf",
    "r:v": "r",
    "ar:a": "ar",
  },
  ...{ "preset:v": "preset", "tune:v": "tune", "level:v": "level", "pix_fmt:v": "pix_fmt", x264opts: "x264-params" },
  ...{ "ac:a": "ac", "refs:v": "refs" },
};

type Given = { readonly part: Part; readonly field: string; readonly value: unknown; readonly name: string };

/** ffmpeg's arguments as fields of a target. Throws TaskError `definition` for an argument that is not on the list. */
const readArgs = (text: string, path: string): Given[] => {
  const words = text.trim().split(/\s+/).filter(Boolean);
  return words.flatMap((name, at) => {
    if (at % 2 === 1) return [];
    const key = name.replace(/^-/, "");
    const found = name.startsWith("-") ? meanings[spellings[key] ?? key] : undefined;
    if (!found || !Object.hasOwn(meanings, spellings[key] ?? key))
      throw definitionError(`${path} may not set "${name.slice(0, 100)}"`);
    return found.map(([part, field, read]) => {
      const value = read(words[at + 1] ?? "");
      if (value !== undefined) return { part, field, value, name };
      throw definitionError(`${path}: ${name} cannot have the value "${(words[at + 1] ?? "").slice(0, 100)}"`);
    });
  });
};

/**
 * The target with the fields of its ffmpeg arguments. Arguments of the target fill in unset fields, those of a
 * track replace them. Throws TaskError for what is not allowed, and where strict arguments contradict a field.
 */
export const withExtencArgs = (written: Target, path: string): Target => {
  const { video, audio = [] } = written;
  const tracks = [video?.extenc_args, ...audio.map((track) => track.extenc_args)];
  const lines = ["service_encoder_args", "extenc_args"] as const;
  if ([...lines.map((name) => written[name]), ...tracks].every((text) => !text?.trim())) return written;
  const given = lines.flatMap((name) => readArgs(written[name] ?? "", `${path}.${name}`));
  if (written.extenc_args_compliance === "strict") refuseCompeting(written, given, path);
  const fieldsOf = (part: Part) =>
    Object.fromEntries(given.filter((each) => each.part === part).map(({ field, value }) => [field, value]));
  const own = (track: { readonly extenc_args?: string | undefined }, part: Part, at: string): Fields => {
    const all = track.extenc_args ? readArgs(track.extenc_args, `${at}.extenc_args`) : [];
    const foreign = all.find((each) => each.part !== part);
    if (foreign) throw definitionError(`${at}.extenc_args: ${foreign.name} is not for ${part}`);
    return Object.fromEntries(all.map(({ field, value }) => [field, value]));
  };
  return reread(
    {
      ...written,
      ...(video && { video: { ...fieldsOf("video"), ...defined(video), ...own(video, "video", `${path}.video`) } }),
      ...(written.audio && {
        audio: audio.map((track, index) => ({
          ...fieldsOf("audio"),
          ...defined(track),
          ...own(track, "audio", `${path}.audio[${index}]`),
        })),
      }),
      container: { ...fieldsOf("container"), ...defined(written.container ?? {}) },
    },
    path,
  );
};

const refuseCompeting = (written: Target, given: readonly Given[], path: string): void => {
  const valueAt = ({ part, field }: Given): unknown => {
    const holder: unknown = part === "audio" ? written.audio?.[0] : written[part];
    return Reflect.get(Object(holder), field);
  };
  const competing = given.find((each) => valueAt(each) !== undefined && valueAt(each) !== each.value);
  if (competing)
    throw definitionError(`${path}.extenc_args: ${competing.name} contradicts ${competing.part}.${competing.field}`);
};

const reread = (made: object, path: string): Target => {
  const parsed = targetSchema.safeParse(made);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw definitionError(`${path}.${issue?.path.join(".")} by extenc_args: ${issue?.message}`);
};
