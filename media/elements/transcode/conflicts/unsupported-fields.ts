import { capabilityError } from "../../../../shared/model/failure.ts";

/**
 * Fields of the specification that would change the result and are not implemented: they fail the task by name rather
 * than being ignored. A field leaves this table when something reads it.
 */
const notYet = {
  payload: ["watermarking"],
  source_pipeline: ["scaler.config_string"],
  source_options: ["resolve_manifest"],
  options: [],
  target: ["boxtool_args"],
  container: ["references_location", "thirdparty_mux_options"],
  video: [
    "frames",
    "thirdparty_video_options",
    "thirdparty_video_profile",
    "thirdparty_stream_mux_options",
    "mainlevel",
    "sublevel",
    "scaler.config_string",
  ],
  audio: [
    "aac_header_interval",
    "thirdparty_stream_mux_options",
    "thirdparty_audio_options",
    "thirdparty_audio_profile",
  ],
} as const;

export type Level = keyof typeof notYet;

/** Throws `capability` for the first field that is set and not implemented, naming its path. */
export const refuseUnsupported = (level: Level, fields: object | undefined, path: string): void => {
  const field = notYet[level].find((name) => asksForSomething(valueAt(fields, name)));
  if (field) throw capabilityError(`${path}.${field} is not implemented yet`);
};

/** Throws `capability` for a value of the specification that is not implemented. */
export const notImplemented = (path: string, value: unknown): never => {
  throw capabilityError(`${path} "${value}" is not implemented yet`);
};

const valueAt = (fields: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), fields);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

// Set, but to nothing: no different from absent.
const idle: readonly unknown[] = [undefined, null, false, "false", "", "none", "auto", "default", "unspecified"];

const asksForSomething = (value: unknown): boolean => {
  if (isObject(value)) return Object.keys(value).length > 0;
  return !idle.includes(value);
};
