import { z } from "zod";
import { hexOfBytes } from "../../shared/basics/hex.ts";
import { looseBoolean, looseInteger } from "../../shared/basics/loose-values.ts";
import { maxSplicePoints, type SplicePoint } from "../../shared/work/splice-point.ts";
import { buildSpliceInsert } from "./splice-info.ts";
import { ticksPerSecond } from "./ticks.ts";

const bits = (count: number) => looseInteger(0, 2 ** count - 1).optional();

const spliceInsert = z.looseObject({
  spliceEventId: bits(32),
  spliceEventCancelIndicator: looseBoolean().optional(),
  outOfNetworkIndicator: looseBoolean().optional(),
  programSpliceFlag: looseBoolean().optional(),
  uniqueProgramId: bits(16),
  availNum: bits(8),
  availsExpected: bits(8),
  program: z.looseObject({ spliceTime: z.looseObject({ ptsTime: bits(33) }).optional() }).optional(),
});

const section = z.looseObject({
  insertTime: looseInteger(0, 2 ** 33 - 1).optional(),
  spliceInfoSection: z.looseObject({ spliceInsert: spliceInsert.optional() }).optional(),
});

/** Points for advertisements as jobs and files list them; times are 90 kHz ticks from the target's first frame. */
export const jobSections = z.array(section).max(maxSplicePoints);
export type JobSection = z.output<typeof section>;

/** What is wrong with a list of points. */
export class SpliceError extends Error {}

/** The standard wants a section sent four seconds before its splice. */
const usualLead = 4 * ticksPerSecond;

/** Throws SpliceError for a section that says too little to be written. */
export const pointsOfSections = (sections: readonly JobSection[]): SplicePoint[] => sections.map(pointOf);

const pointOf = ({ insertTime, spliceInfoSection }: JobSection, index: number): SplicePoint => {
  const insert = spliceInfoSection?.spliceInsert;
  const what = `scte35_sections[${index}]`;
  if (!insert) throw new SpliceError(`${what} has no spliceInfoSection.spliceInsert, the only command there is`);
  const pts = insert.program?.spliceTime?.ptsTime;
  const isCancelled = insert.spliceEventCancelIndicator === true;
  if (insert.programSpliceFlag === false && !isCancelled)
    throw new SpliceError(`${what}: splices of components are not listed in a job; programSpliceFlag must be true`);
  if (pts === undefined && insertTime === undefined)
    throw new SpliceError(`${what} has neither an insertTime nor a ptsTime`);
  const bytes = buildSpliceInsert({
    ...{ eventId: insert.spliceEventId ?? index + 1, isCancelled, isOut: insert.outOfNetworkIndicator, pts },
    ...{ programId: insert.uniqueProgramId, availNum: insert.availNum, availsExpected: insert.availsExpected },
  });
  const at = insertTime ?? Math.max(0, (pts ?? 0) - usualLead);
  return { at, ...(pts !== undefined && { splice: pts }), section: hexOfBytes(bytes) };
};
