import { z } from "zod";
import type { AppError } from "../basics/errors.ts";
import { didYouMean } from "../basics/nearest-name.ts";
import { isObject } from "../basics/plain-object.ts";
import { invalid } from "../basics/validation.ts";
import { resolveDefinitions, type Spend } from "./definitions.ts";

/** The limit on how far presets may enlarge a job: inserted characters, counting every use. */
const maxInserted = 1_000_000;

/** The kind of the elements that a preset is for. Which kinds exist is known only where jobs are parsed. */
export const presetKind = z.string();

/** A part of an element's payload that is stored under a name, for jobs to build on. */
export const preset = z.looseObject({
  key: z
    .string()
    .min(1)
    .max(190)
    .regex(/^\P{Cc}*$/u, "must not contain control characters")
    .refine((key) => key !== "." && key !== "..", "must not be . or .."),
  name: z.string().max(2000).optional(),
  description: z.string().max(10_000).optional(),
  user_data: z.unknown().optional(),
  kind: presetKind.default("transcode"),
  path: z.string().max(4000).optional(),
  payload: z.looseObject({}),
});
export type Preset = z.output<typeof preset>;

export const presetHead = preset.pick({ key: true, name: true, description: true, kind: true, path: true }).strip();

/**
 * A job whose definitions are filled in, with every element's `preset: {key}` applied: the element's payload is merged
 * over the preset's. Throws AppError VALIDATION_FAILED for an unknown preset, or one for another element kind.
 */
export const applyPresets = (
  job: Record<string, unknown>,
  presetOf: (key: string) => Preset | undefined,
  { spend, keys = [] }: Applying = {},
): Record<string, unknown> => {
  const { payload, definitions } = job;
  if (!isObject(payload) || !Array.isArray(payload.elements) || !payload.elements.some(namesPreset)) return job;
  const bases = basesOf(payload.elements, presetOf, { spend, keys });
  // All at once: what definitions put into one of them counts for all.
  const filled = resolveDefinitions({ bases, definitions }, spend).bases as unknown[]; // a list stays a list
  let next = 0;
  const elements = payload.elements.map((element: unknown) =>
    namesPreset(element) ? { ...element, payload: layOver(filled[next++], element.payload ?? {}) } : element,
  );
  return { ...job, payload: { ...payload, elements } };
};

/** `keys`: presets that there are, of which a refusal names the one that was probably meant. */
type Applying = { readonly spend?: Spend | undefined; readonly keys?: readonly string[] | undefined };
type Place = { readonly at: string; readonly keys: readonly string[] };

/** The keys of the presets that a job names, once its definitions are filled in. */
export const presetsNamed = ({ payload }: Record<string, unknown>): string[] => {
  const elements = isObject(payload) && Array.isArray(payload.elements) ? payload.elements : [];
  return [...new Set(elements.filter(namesPreset).map(({ preset }) => preset.key))];
};

/** The payloads of the presets that elements name, in their order. */
const basesOf = (
  elements: readonly unknown[],
  presetOf: (key: string) => Preset | undefined,
  { spend, keys }: Applying & { readonly keys: readonly string[] },
): object[] => {
  let inserted = 0;
  return elements.flatMap((element, index) => {
    if (!namesPreset(element)) return [];
    const at = `payload.elements[${index}].preset.key`;
    const base = requirePreset(presetOf(element.preset.key), element, { at, keys });
    const { length } = JSON.stringify(base);
    spend?.(length);
    inserted += length;
    if (inserted > maxInserted) throw refuse(at, `presets put more than ${maxInserted} characters into the job`);
    return [base];
  });
};

type PresetElement = Record<string, unknown> & { readonly preset: { readonly key: string } };

const namesPreset = (element: unknown): element is PresetElement =>
  isObject(element) && isObject(element.preset) && typeof element.preset.key === "string";

const requirePreset = (found: Preset | undefined, { kind, preset: { key } }: PresetElement, { at, keys }: Place) => {
  if (!found) throw refuse(at, `there is no preset "${key.slice(0, 200)}"${didYouMean(key, keys)}`);
  if (found.kind === kind) return found.payload;
  throw refuse(at, `preset "${key}" is for elements of kind ${found.kind}, and this one is ${String(kind)}`);
};

/** The job's values win. Objects are merged; targets are merged by position; other lists are replaced. */
const layOver = (base: unknown, own: unknown, name = ""): unknown => {
  if (name === "targets" && Array.isArray(base) && Array.isArray(own)) {
    const length = Math.max(base.length, own.length);
    return Array.from({ length }, (_, at) => (at < own.length ? layOver(base[at], own[at]) : base[at]));
  }
  if (!isObject(base) || !isObject(own)) return own;
  const merged = Object.entries(own).map(([key, value]) => [
    key,
    Object.hasOwn(base, key) ? layOver(base[key], value, key) : value,
  ]);
  return { ...base, ...Object.fromEntries(merged) };
};

const refuse = (path: string, message: string): AppError => invalid([{ path, message }]);
