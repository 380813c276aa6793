import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { normaliseAliases } from "../../media/jobs/aliases.ts";
import { resolveDefinitions } from "../../shared/model/definitions.ts";

/** Job files of the API family, read where they lie. */
export const samplesFolder = process.env.MEDIAFARM_SAMPLES ?? join(import.meta.dirname, "../../../shared/samples");
export const hasSamples = existsSync(samplesFolder);

export type Fields = { readonly [name: string]: unknown };
export type SampleElement = { readonly uid: string; readonly kind: string; readonly payload: Fields };

export type Sample = {
  readonly name: string;
  /** As it is sent. */
  readonly job: Fields;
  /** Its elements with definitions filled in, in the spelling of the specification. */
  readonly elements: readonly SampleElement[];
};

export const sampleNames = (): string[] =>
  readdirSync(samplesFolder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.replaceAll("\\", "/"))
    .sort();

export const readSample = (name: string): Sample => {
  const job: Fields = JSON.parse(readFileSync(join(samplesFolder, name), "utf8"));
  const { elements } = fieldsAt(normaliseAliases(resolveDefinitions(job)), "payload");
  return {
    name,
    job,
    elements: listOf(elements).map((each) => ({
      uid: String(each.uid),
      kind: String(each.kind),
      payload: fieldsAt(each, "payload"),
    })),
  };
};

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const fieldsAt = (value: unknown, name: string): Fields => {
  const found = isFields(value) ? value[name] : undefined;
  return isFields(found) ? found : {};
};

/** The objects of a list; what is no list has none. */
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** A number, also one written as text. */
export const numberAt = (fields: Fields, name: string): number | undefined => {
  const value = fields[name];
  if (value === undefined || value === null || value === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
};

export const textAt = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
};
