import { parseJob } from "../../media/jobs/parse-job.ts";
import { fromThirdparty } from "../../media/thirdparty/index.ts";
import { invalid } from "../../shared/basics/validation.ts";
import { resolveDefinitions, type Spend } from "../../shared/model/definitions.ts";
import { type JobSpec, limits } from "../../shared/model/job.ts";
import { applyPresets, presetsNamed } from "../../shared/model/preset.ts";
import type { Owned } from "../../shared/rights/reach.ts";
import { checkPresetSecrets, type StoredPreset } from "./presets.ts";
import { withVariablePlaces } from "./variable-places.ts";

/** What a job is read from: data that a thread can take. */
export type Asked = {
  /** The submission, as JSON. */
  readonly text: string;
  /** Whose presets' secrets it knows. */
  readonly sender: Owned;
  /** The presets that it may use, as far as they are loaded; undefined: there is none of that name. */
  readonly presets: ReadonlyMap<string, StoredPreset | undefined>;
  /** The keys of all presets that it may use, of a job that names one that there is not. */
  readonly keys?: readonly string[] | undefined;
};

export type Read =
  | {
      readonly spec: JobSpec /** Definitions, presets or another form of job were filled in. */;
      readonly isFilled: boolean;
    }
  /** Keys of presets that have to be loaded first. */
  | { readonly lacks: readonly string[] };

/**
 * Checks every field of a submission. Pure: it runs here or in a thread. `spend` counts what definitions and presets put in.
 * Throws AppError VALIDATION_FAILED.
 */
export const readJob = (
  { text, sender, presets, keys }: Asked,
  received: Record<string, unknown> = JSON.parse(text),
  spend?: Spend,
): Read => {
  if (text.length > limits.payloadCharacters) refuseLong(text, received.payload);
  const { job, warnings } = isThirdparty(received) ? fromThirdparty(received) : { job: received, warnings: [] };
  const resolve = (each: Record<string, unknown>) => (usesDefinitions(text) ? resolveDefinitions(each, spend) : each);
  const lookUp = (key: string) => presets.get(key);
  const fill = (each: Record<string, unknown>) =>
    applyPresets(resolve(each), (key) => lookUp(key)?.preset, { spend, keys });
  const lacks = presetsNamed(resolve(job)).filter((key) => !presets.has(key));
  if (lacks.length > 0) return { lacks };
  const whole = fill(job);
  checkPresetSecrets(whole, lookUp, sender);
  const spec = withVariablePlaces(job, withWarnings(parseJob(whole), warnings), fill);
  return { spec, isFilled: whole !== received };
};

const isThirdparty = ({ schema }: Record<string, unknown>): boolean => schema === "thirdparty" || schema === "rhozet";

const withWarnings = (spec: JobSpec, more: readonly string[]): JobSpec =>
  more.length === 0 ? spec : { ...spec, warnings: [...more, ...spec.warnings].slice(0, 100) };

/** Jobs that use none, which are most, are not copied. */
const usesDefinitions = (text: string): boolean => text.includes("{{") || text.includes("$inherits");

const refuseLong = (whole: string, payload: unknown): void => {
  const { length } = typeof payload === "string" ? payload : (JSON.stringify(payload) ?? "");
  const { payloadCharacters, besidePayloadCharacters } = limits;
  if (length > payloadCharacters)
    throw invalid([{ path: "payload", message: `has ${length} characters, and ${payloadCharacters} are the limit` }]);
  const beside = whole.length - length;
  if (beside <= besidePayloadCharacters) return;
  const message = `has ${beside} characters beside its payload, and ${besidePayloadCharacters} are the limit`;
  throw invalid([{ path: "job", message }]);
};
