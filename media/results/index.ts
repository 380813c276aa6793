import type { z } from "zod";
import type { ResultParser, StepResult } from "../../shared/model/step-result.ts";
import { verdicts } from "../../shared/model/verdict.ts";
import { listingSummary } from "../../shared/work/listing-summary.ts";
import { analysis, analysisParser } from "./analysis.ts";
import { astatsParser, levels } from "./astats.ts";
import { audioPsnrParser } from "./audio-psnr.ts";
import { commandOutcomes } from "./commands.ts";
import { ebur128Parser, loudness } from "./ebur128.ts";
import { histogramsParser } from "./histograms.ts";
import { levelsCheckParser } from "./levels-check.ts";
import { listing } from "./listing.ts";
import { loudnessCheckParser } from "./loudness-check.ts";
import { packetsParser } from "./packets.ts";
import { receipt } from "./receipt.ts";
import { scriptOutcome } from "./script.ts";
import { splices } from "./splices.ts";
import { told } from "./told.ts";
import { vmafParser } from "./vmaf.ts";

/** What results may be: a kind and the schema of its value. */
export const resultKinds = {
  ...{ analysis, levels, listed: listingSummary, listing, loudness, receipt, splices, verdicts },
  commands: commandOutcomes,
  script: scriptOutcome,
  told,
} as const satisfies Record<string, z.ZodType>;
export type ResultKind = keyof typeof resultKinds;
export type ResultOf<K extends ResultKind> = z.output<(typeof resultKinds)[K]>;

/** How tools' texts are read, by the names that steps use. */
export const resultParsers = {
  analysis: analysisParser,
  astats: astatsParser,
  audio_psnr: audioPsnrParser,
  ebur128: ebur128Parser,
  histograms: histogramsParser,
  levels_check: levelsCheckParser,
  loudness_check: loudnessCheckParser,
  packets: packetsParser,
  vmaf: vmafParser,
} as const satisfies Record<string, ResultParser>;
export type ParserName = keyof typeof resultParsers;

export const parserNamed = (name: string): ResultParser | undefined =>
  Object.hasOwn(resultParsers, name) ? resultParsers[name as ParserName] : undefined; // hasOwn has just said so

/** The result's value by its own schema; undefined where it is of another kind or not what its kind says. */
export const readResult = <K extends ResultKind>(kind: K, result: StepResult | undefined): ResultOf<K> | undefined => {
  if (result?.kind !== kind) return undefined;
  const read = resultKinds[kind].safeParse(result.value);
  // The schema is the kind's own, which TypeScript cannot follow through an index.
  return read.success ? (read.data as ResultOf<K>) : undefined;
};
