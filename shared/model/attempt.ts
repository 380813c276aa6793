import { z } from "zod";
import { type Cause, causeNames } from "./failure.ts";

/** The cost of an attempt, measured by its node. */
export const attemptCost = z.strictObject({
  wall_ms: z.number(),
  /** Of all its programs; null if the node's system does not report it. */
  cpu_ms: z.number().nullable(),
  /** The peak memory of its largest program, in bytes. */
  peak_memory: z.number().nullable(),
});
export type AttemptCost = z.output<typeof attemptCost>;

/** One run of a task on one node, as shown to programs and people. */
export const attemptRecord = z.strictObject({
  attempt: z.number().int(),
  node: z.string().nullable(),
  state: z.string(),
  assigned: z.string(),
  ended: z.string().nullable(),
  /** Null while it runs, and for lost and stopped ones. */
  cost: attemptCost.nullable(),
  /** How far it was when it was last heard of, and how fast: of lost and stopped ones. */
  reached: z.strictObject({ percent: z.number().nullable(), speed: z.number().nullable() }).nullable(),
  /** Why it failed, and which program failed. */
  failure: z
    .strictObject({
      cause: z.enum(causeNames),
      message: z.string(),
      command: z.string().nullable(),
      exit_code: z.number().nullable(),
    })
    .nullable(),
  log: z.string(),
});
export type AttemptRecord = z.output<typeof attemptRecord>;

/** `12.3 s`, `processor 40.1 s`, `312 MB at most`: the known parts. */
export const costWords = ({ wall_ms, cpu_ms, peak_memory }: AttemptCost): string[] => [
  secondsText(wall_ms),
  ...(cpu_ms === null ? [] : [`processor ${secondsText(cpu_ms)}`]),
  ...(peak_memory === null ? [] : [`memory ${Math.ceil(peak_memory / 1e6).toLocaleString("en")} MB at most`]),
];

/** `42 % done, 1.25x as fast as real time`: the known parts. */
export const reachedWords = ({ percent, speed }: NonNullable<AttemptRecord["reached"]>): string =>
  [
    ...(percent === null ? [] : [`${Math.round(percent)} % done`]),
    ...(speed === null ? [] : [`${Number(speed.toFixed(2))}x as fast as real time`]),
  ].join(", ");

const secondsText = (ms: number): string => {
  const seconds = ms / 1000;
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  return seconds < 6000 ? `${(seconds / 60).toFixed(1)} min` : `${(seconds / 3600).toFixed(1)} h`;
};

/** The end of an attempt on a node: the cause of its failure, or undefined if it succeeded. */
export type Ending = {
  readonly nodeId: number;
  readonly jobId: number;
  readonly taskId: number;
  /** Whose job it is; null: nobody's in particular. */
  readonly sender: string | null;
  readonly cause: Cause | undefined;
  readonly at: number;
};
