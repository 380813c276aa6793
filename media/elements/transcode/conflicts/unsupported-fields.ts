import { capabilityError } from "../../../../shared/model/failure.ts";

const otherEncoder = "it is for encoders of other vendors, of which none is built in";
const otherMuxer = "it is for muxers of other vendors, of which none is built in";

/**
 * Fields of the specification that would change the result and are not implemented, each with the reason: they fail the
 * task by name rather than being ignored. A field leaves this table when something reads it.
 */
export const refusedFields = {
  payload: { watermarking: "marks are made and found by licensed programs only" },
  source_pipeline: {},
  source_options: { resolve_manifest: "a manifest is always read, and what it names is fetched" },
  options: {},
  target: { boxtool_args: "arguments for another program; the boxes that jobs need have fields of their own" },
  container: {
    thirdparty_mux_options: otherMuxer,
  },
  video: {
    frames: "the specification names it and does not say what it asks for",
    thirdparty_video_options: otherEncoder,
    thirdparty_video_profile: otherEncoder,
    thirdparty_stream_mux_options: otherMuxer,
  },
  audio: {
    aac_header_interval: "headers stand where the container has them",
    thirdparty_stream_mux_options: otherMuxer,
    thirdparty_audio_options: otherEncoder,
    thirdparty_audio_profile: otherEncoder,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

export type Level = keyof typeof refusedFields;

/** Throws `capability` for the first field that is set and not implemented, naming its path. */
export const refuseUnsupported = (level: Level, fields: object | undefined, path: string): void => {
  const found = Object.entries(refusedFields[level]).find(([name]) =>
    asksForSomething(Reflect.get(Object(fields), name)),
  );
  if (found) throw capabilityError(`${path}.${found[0]} is not implemented yet: ${found[1]}`);
};

/** Throws `capability` for a value of the specification that is not implemented. */
export const notImplemented = (path: string, value: unknown): never => {
  throw capabilityError(`${path} "${value}" is not implemented yet`);
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

// Set, but to nothing: no different from absent.
const idle: readonly unknown[] = [undefined, null, false, "false", "", "none", "auto", "default", "unspecified"];

const asksForSomething = (value: unknown): boolean => {
  if (isObject(value)) return Object.keys(value).length > 0;
  return !idle.includes(value);
};
