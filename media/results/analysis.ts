import { z } from "zod";
import { listOf, optionalObject } from "../../shared/basics/loose-values.ts";
import type { ResultParser } from "../../shared/model/step-result.ts";
import { type Gatherer, type Json, type JsonObject, pieceSeconds } from "../analyses/analysis.ts";
import { audioAnalyses, comparisons, videoAnalyses } from "../analyses/index.ts";
import { createFrameReader } from "./frame-metadata.ts";
import { readOptions } from "./options.ts";

/** Part of an `analyze` element's findings; all results merged are the whole. */
export const analysis = z.looseObject({
  general_properties: z.record(z.string(), z.json()).optional(),
  deep_properties: optionalObject({
    video: z.record(z.string(), z.json()).optional(),
    /** In the payload's order; null if another part has it. */
    audio: listOf(z.record(z.string(), z.json()).nullable(), 100).optional(),
  }),
});

const info = z.strictObject({
  width: z.number(),
  height: z.number(),
  rate: z.number(),
  channels: z.number(),
  bitDepth: z.number(),
  isFullRange: z.boolean(),
  transfer: z.string(),
});

/** Which analyses measured the stream, and where their results belong in the whole. */
export const analysisOptions = z.strictObject({
  /** For audio: which entry of the payload's list. */
  at: z.union([z.literal("video"), z.number().int().nonnegative().max(99)]),
  version: z.union([z.literal(1), z.literal(2)]),
  info,
  /** The track of the sound, where its place in the payload's list does not tell. */
  track: z.number().int().nonnegative().optional(),
  /** Where the timeline ends, in seconds: the last piece of sound may be shorter than the others. */
  until: z.number().nonnegative().optional(),
  analyses: listOf(z.strictObject({ name: z.string(), settings: z.record(z.string(), z.json()) }), 30),
});
export type AnalysisOptions = z.output<typeof analysisOptions>;

/** Parses the notes of a stream's detectors, per analysis. */
export const analysisParser: ResultParser = {
  kind: "analysis",
  begin: (given) => {
    const options = readOptions(analysisOptions, given, "analysis");
    const gatherers = options.analyses.map(
      ({ name, settings }) => [name, gathererOf(name, settings, options)] as const,
    );
    // Of a single frame the rate tells how long it lasts.
    let [last, step] = [0, options.at === "video" ? 1 / options.info.rate : pieceSeconds];
    const reader = createFrameReader((frame) => {
      step = frame.seconds > last ? frame.seconds - last : step;
      last = frame.seconds;
      for (const [, gatherer] of gatherers) gatherer.frame(frame);
    });
    return {
      line: reader.line,
      end: () => {
        reader.end();
        const end = Math.max(last, Math.min(last + step, options.until ?? Number.POSITIVE_INFINITY));
        return placed(options.at, {
          ...(options.track !== undefined && { track_selector: { index: options.track } }),
          ...Object.fromEntries(gatherers.map(([name, each]) => [name, each.end(end)])),
        });
      },
    };
  },
};

const gathererOf = (name: string, settings: object, { at, info, version }: AnalysisOptions): Gatherer => {
  const found = (at === "video" ? videoAnalyses : audioAnalyses)[name];
  if (found) return found.gather(settings, info, version);
  const comparison = at === "video" ? comparisons[name] : undefined;
  if (comparison) return comparison.gather();
  throw new Error(`there is no analysis "${name}"`);
};

/** Where results belong: `deep_properties.video`, or an entry of `deep_properties.audio`. */
export const placed = (at: AnalysisOptions["at"], found: JsonObject): JsonObject => {
  if (at === "video") return { deep_properties: { video: found } };
  const audio: Json[] = [...Array<null>(at).fill(null), found];
  return { deep_properties: { audio } };
};

/** Merges parts: objects and lists are merged, null means nothing. */
export const mergeParts = (parts: readonly JsonObject[]): JsonObject =>
  parts.reduce((whole, part) => mergedObject(whole, part), {});

const mergedObject = (a: JsonObject, b: JsonObject): JsonObject => {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(keys.map((key) => [key, merged(a[key], b[key])]));
};

const merged = (a: Json | undefined, b: Json | undefined): Json => {
  if (a === undefined || a === null) return b ?? null;
  if (b === undefined || b === null) return a;
  if (Array.isArray(a) && Array.isArray(b)) {
    return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => merged(a[index], b[index]));
  }
  if (typeof a === "object" && typeof b === "object" && !Array.isArray(a) && !Array.isArray(b))
    return mergedObject(a, b);
  return b;
};
