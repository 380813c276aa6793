import { isObject } from "../../shared/basics/plain-object.ts";

/**
 * Alternative spellings that jobs of this API family use. A word is replaced only as a whole, so that the longer of two
 * words with the same beginning is never cut. `within` is the end of the path in which the word must be.
 */
type Alias = { readonly from: string; readonly to: string; readonly within?: string };

const fields: readonly Alias[] = [
  { from: "aws_access_key_id", to: "access_key_id", within: "basic_aws_credentials" },
  { from: "aws_secret_access_key", to: "secret_access_key", within: "basic_aws_credentials" },
  { from: "aws_session_token", to: "session_token", within: "basic_aws_credentials" },
  { from: "dolby_digital", to: "vendor_digital" },
  { from: "dolby_digital_plus", to: "vendor_digital_plus" },
  { from: "dolby_digital_surround_ex_mode", to: "vendor_digital_surround_ex_mode" },
  { from: "dolby_surround_mode", to: "vendor_surround_mode" },
  { from: "dplc", to: "dolby_professional_loudness" },
  { from: "ffmpeg", to: "extenc", within: "payload" },
  { from: "ffmpeg_args", to: "extenc_args" },
  { from: "ffmpeg_args_compliance", to: "extenc_args_compliance" },
  { from: "ffmpeg_filter", to: "extenc_filter" },
  { from: "hybrik_encoder_args", to: "service_encoder_args" },
  { from: "interlace_mode", to: "interlacing", within: "deep_properties.video" },
  { from: "kind", to: "format", within: "subtitle" },
  { from: "mainconcept_audio_options", to: "thirdparty_audio_options" },
  { from: "mainconcept_audio_profile", to: "thirdparty_audio_profile" },
  { from: "mainconcept_mux_options", to: "thirdparty_mux_options" },
  { from: "mainconcept_mux_profile", to: "thirdparty_mux_profile" },
  { from: "mainconcept_stream_mux_options", to: "thirdparty_stream_mux_options" },
  { from: "mainconcept_video_options", to: "thirdparty_video_options" },
  { from: "mainconcept_video_profile", to: "thirdparty_video_profile" },
  { from: "max_refs", to: "refs", within: "video" },
  { from: "mp4box_args", to: "boxtool_args" },
  { from: "rest_password", to: "password", within: "rest" },
  { from: "rest_url", to: "url", within: "rest" },
  { from: "rest_username", to: "username", within: "rest" },
  { from: "segment_duration", to: "segment_duration_sec", within: "container" },
];

/** Values, by their field at the end of `within`. */
const values: readonly (Alias & { readonly within: string })[] = [
  { from: "dolby_digital", to: "vendor_digital", within: "audio.codec" },
  { from: "dolby_digital_plus", to: "vendor_digital_plus", within: "audio.codec" },
  { from: "dplc", to: "dolby_professional_loudness", within: "payload.kind" },
  { from: "ffmpeg", to: "extenc", within: "audio.kind" },
  { from: "ffmpeg", to: "extenc", within: "filters.kind" },
  { from: "ffmpeg", to: "extenc", within: "video.kind" },
  { from: "hybrik", to: "service", within: "schema" },
  { from: "hybrik", to: "the service", within: "codec_provider" },
  { from: "mainconcept_v10", to: "thirdparty_v10", within: "codec_provider" },
  { from: "mainconcept_v11", to: "thirdparty_v11", within: "codec_provider" },
  { from: "rhozet", to: "thirdparty", within: "schema" },
  { from: "service", to: "the service", within: "codec_provider" },
];

/** These fields contain foreign or free text. */
const foreign = new Set(["access", "attributes", "definitions", "headers", "user_data"]);

type Rows = ReadonlyMap<string, readonly Alias[]>;
const byWord = (rows: readonly Alias[]): Rows => Map.groupBy(rows, ({ from }) => from);
const [fieldRows, valueRows] = [byWord(fields), byWord(values)];

/** A job in the specification's spelling. A field that exists in both spellings keeps both. */
export const normaliseAliases = (job: Record<string, unknown>): Record<string, unknown> => copyOf(job, []);

/** The path as the client wrote it, for a path of the normalised copy. */
export const pathAsSent = (job: unknown, path: readonly PropertyKey[]): PropertyKey[] => {
  const trail: string[] = [];
  let at: unknown = job;
  return path.map((part) => {
    const sent = typeof part === "string" && isObject(at) ? spelledIn(at, part, trail) : part;
    at = isObject(at) || Array.isArray(at) ? Reflect.get(at, sent) : undefined;
    if (typeof sent === "string") trail.push(part as string); // only texts are translated to texts
    return sent;
  });
};

const spelledIn = (object: Record<string, unknown>, name: string, trail: readonly string[]): string => {
  if (Object.hasOwn(object, name)) return name;
  return Object.keys(object).find((key) => renamed(fieldRows, key, trail) === name) ?? name;
};

/** Returns the same object if nothing in it is spelled differently, which is the usual case. `trail` is its path. */
const copyOf = (object: Record<string, unknown>, trail: string[]): Record<string, unknown> => {
  let isSame = true;
  const entries = Object.entries(object);
  for (const entry of entries) {
    const [key, value] = entry;
    const known = renamed(fieldRows, key, trail);
    if (known !== undefined && !Object.hasOwn(object, known)) entry[0] = known;
    if (foreign.has(entry[0])) continue;
    trail.push(entry[0]);
    entry[1] = spelt(value, trail);
    trail.pop();
    if (entry[0] !== key || entry[1] !== value) isSame = false;
  }
  return isSame ? object : Object.fromEntries(entries);
};

const spelt = (value: unknown, trail: string[]): unknown => {
  if (typeof value === "string") return renamed(valueRows, value, trail) ?? value;
  if (isObject(value)) return copyOf(value, trail);
  if (!Array.isArray(value)) return value;
  const items = value.map((item) => spelt(item, trail));
  return items.some((item, index) => item !== value[index]) ? items : value;
};

const renamed = (rows: Rows, word: string, trail: readonly string[]): string | undefined =>
  rows.get(word)?.find(({ within }) => within === undefined || endsWith(trail, within))?.to;

const endsWith = (trail: readonly string[], within: string): boolean => {
  const path = trail.join(".");
  return path === within || path.endsWith(`.${within}`);
};
