import { evaluate } from "../../media/expressions/evaluator.ts";
import { parseExpression } from "../../media/expressions/parser.ts";
import { type Fields, fieldsAt, listOf, numberAt, type Sample, textAt } from "./samples.ts";
import { clockSeconds, isFile, joined } from "./sources.ts";

/** How long a file is that a source names; undefined where it is no media. */
export type LengthOf = (uri: string) => Promise<number | undefined>;

/** How many seconds a target lasts, by the trims between it and the source; undefined where that is not to be told. */
export const secondsOfTarget = async (
  sample: Sample,
  { element, target }: { readonly element: Fields; readonly target: Fields },
  lengthOf: LengthOf,
): Promise<number | undefined> => {
  const source = sample.elements.find(({ kind }) => kind === "source");
  const isPlain = !sample.elements.some(({ kind }) => kind === "source_provider" || kind === "folder_enum");
  const whole = source && isPlain ? await secondsOfSource(source.payload, kindsOf(target), lengthOf) : undefined;
  const cut = trimmed(trimmed(whole, fieldsAt(fieldsAt(element, "source_pipeline"), "trim")), fieldsAt(target, "trim"));
  const factor = speedOf(target);
  return cut === undefined || factor === undefined ? undefined : cut / factor;
};

type Kind = "video" | "audio";

const kindsOf = ({ video, audio }: Fields): Kind[] => [
  ...(video === undefined ? [] : (["video"] as const)),
  ...(audio === undefined ? [] : (["audio"] as const)),
];

const secondsOfSource = async (
  payload: Fields,
  kinds: readonly Kind[],
  lengthOf: LengthOf,
): Promise<number | undefined> => {
  const inner = fieldsAt(payload, "payload");
  if (payload.kind === "asset_url") return trimmed(await lengthOf(textAt(inner, "url") ?? ""), fieldsAt(inner, "trim"));
  const versions = listOf(inner.asset_versions);
  // In a sequence, sound ends with its picture, so that the next version begins with both.
  const lasting: readonly Kind[] = versions.length > 1 && kinds.includes("video") ? ["video"] : kinds;
  const parts = await Promise.all(
    versions.map(async (version) => {
      const own = await secondsOfVersion(version, lasting, lengthOf);
      return own ?? secondsOfVersion(version, kinds, lengthOf);
    }),
  );
  const known = parts.filter((each) => each !== undefined);
  return known.length === parts.length && parts.length > 0 ? known.reduce((sum, each) => sum + each, 0) : undefined;
};

/** Components play side by side: the longest one with something that the target has. */
const secondsOfVersion = async (
  version: Fields,
  kinds: readonly Kind[],
  lengthOf: LengthOf,
): Promise<number | undefined> => {
  const folder = textAt(fieldsAt(version, "location"), "path");
  const used = listOf(version.asset_components).filter(
    (component) => kinds.some((kind) => has(kind, component)) && !endsWithAnother(component),
  );
  const lengths = await Promise.all(used.map((component) => secondsOfComponent(component, folder, lengthOf)));
  const known = lengths.filter((each) => each !== undefined);
  return known.length === used.length && used.length > 0 ? Math.max(...known) : undefined;
};

const secondsOfComponent = async (component: Fields, folder: string | undefined, lengthOf: LengthOf) => {
  if (component.kind === "generated") return numberAt(fieldsAt(component, "trim"), "outpoint_sec");
  const own = textAt(fieldsAt(component, "location"), "path") ?? folder;
  const uri = joined(own, textAt(component, "name") ?? "");
  return isFile(uri) ? trimmed(await lengthOf(uri), fieldsAt(component, "trim")) : undefined;
};

const has = (kind: Kind, { contents }: Fields): boolean =>
  contents === undefined || listOf(contents).some((each) => each.kind === kind);

/** It is cut to the length of another one. */
const endsWithAnother = ({ trim }: Fields): boolean => JSON.stringify(trim ?? {}).includes("reference_media_track");

const trimmed = (whole: number | undefined, trim: Fields): number | undefined => {
  if (whole === undefined || Object.keys(trim).length === 0) return whole;
  const at = (name: string) => clockOf(trim, `${name}_tc`) ?? clockOf(trim, `${name}_asset_tc`);
  const start = numberAt(trim, "inpoint_sec") ?? at("inpoint") ?? frameAt(trim, "inpoint_frame") ?? 0;
  const end = numberAt(trim, "outpoint_sec") ?? at("outpoint") ?? frameAt(trim, "outpoint_frame");
  const length = numberAt(trim, "duration_sec");
  return Math.min(length ?? (end ?? whole) - start, whole);
};

const frameAt = (trim: Fields, name: string): number | undefined => {
  const frame = numberAt(trim, name);
  return frame === undefined ? undefined : frame / 24;
};

/** Masters with a timecode begin at a full hour. */
const clockOf = (trim: Fields, name: string): number | undefined => {
  const text = textAt(trim, name);
  return text === undefined ? undefined : clockSeconds(text) % 3600;
};

const speedOf = (target: Fields): number | undefined => {
  const filter = listOf(fieldsAt(target, "container").filters).find(({ kind }) => kind === "speed_change");
  if (!filter) return 1;
  const payload = fieldsAt(filter, "payload");
  const factor = payload.factor ?? fieldsAt(payload, "speed_change").factor ?? 1;
  const value = typeof factor === "string" ? evaluate(parseExpression(factor), {}) : factor;
  return typeof value === "number" ? value : undefined;
};
