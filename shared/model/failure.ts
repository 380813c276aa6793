import { z } from "zod";
import type { StepResults } from "./step-result.ts";

/**
 * Why a task failed: one table. A configured retry is honoured, but for a file that costs every node the same
 * and fails on each (`file`). The cause decides where the next attempt runs (`where`), how many seconds are added to the configured delay (`backOff`), whether the failure
 * speaks against the node (`blamesNode`), and what a person is told to do (`advice`).
 */
export const causes = {
  definition: { where: "anywhere", backOff: 0, blamesNode: false, advice: "Correct the job and submit it again." },
  source: {
    where: "anywhere",
    backOff: 0,
    blamesNode: false,
    advice: "Do as the message says: make the source available, repair or replace it.",
  },
  storage: {
    where: "elsewhere",
    backOff: 10,
    blamesNode: true,
    advice: "Check the folder, its permissions and free space.",
  },
  capability: {
    where: "anywhere",
    backOff: 0,
    blamesNode: false,
    advice: "Add a node that supports this, or change the job.",
  },
  resources: { where: "elsewhere", backOff: 30, blamesNode: true, advice: "Free memory or disk on the node." },
  machine: { where: "elsewhere", backOff: 0, blamesNode: true, advice: "Check the node: it lost the work." },
  timeout: { where: "elsewhere", backOff: 0, blamesNode: true, advice: "Raise the limit or check the node." },
  media: {
    where: "anywhere",
    backOff: 0,
    blamesNode: false,
    advice: "Check the log: the media cannot be processed.",
  },
  file: {
    where: "nowhere",
    backOff: 0,
    blamesNode: false,
    advice: "Repair or replace the file: no node can read it within its limits.",
  },
  quality: {
    where: "anywhere",
    backOff: 0,
    blamesNode: false,
    advice: "Read the messages of the failed tests, and correct the media.",
  },
  receiver: {
    where: "elsewhere",
    backOff: 10,
    blamesNode: false,
    advice: "Check that the receiver's address is right and that it answers.",
  },
  cancelled: {
    where: "anywhere",
    backOff: 0,
    blamesNode: false,
    advice: "Somebody stopped it. A retry continues where it stopped.",
  },
} as const satisfies Record<string, CauseRule>;

type CauseRule = {
  readonly where: "anywhere" | "elsewhere" | "nowhere";
  readonly backOff: number;
  readonly blamesNode: boolean;
  readonly advice: string;
};

export type Cause = keyof typeof causes;
export const causeNames = Object.keys(causes) as [Cause, ...Cause[]]; // Object.keys forgets the literal names

/** Why one attempt or task failed, as it is stored, shown and echoed in results. */
export const failure = z.object({
  cause: z.enum(causeNames),
  message: z.string().max(4000),
  /** The tool's argv, when a tool failed. */
  argv: z.array(z.string().max(1_000_000)).max(4000).optional(),
  exitCode: z.number().int().nullable().optional(),
  /** The end of the tool's stderr. */
  stderr: z.string().max(16_000).optional(),
});
export type Failure = z.output<typeof failure>;

/** Whether time alone may mend it: what the job itself has wrong, and what no node can do, stays so. */
export const isTransient = ({ cause }: Failure): boolean => cause !== "definition" && cause !== "capability";

/** Thrown when a task cannot continue. Carries the cause. */
export class TaskError extends Error {
  readonly failure: Failure;
  /** What was found out before it failed; people see it beside the failure. */
  readonly results: StepResults | undefined;

  constructor(
    cause: Cause,
    message: string,
    more: Omit<Failure, "cause" | "message"> = {},
    results: StepResults | undefined = undefined,
  ) {
    super(message);
    this.name = "TaskError";
    this.results = results;
    this.failure = { cause, message: message.slice(0, 4000), ...more };
  }
}

/**
 * The errors that most tasks end with: the job is wrong, no node here can do it, a file is beyond what any node reads, its
 * source is not as it must be, or what is made of its media cannot be as asked.
 */
export const definitionError = (message: string): TaskError => new TaskError("definition", message);
export const capabilityError = (message: string): TaskError => new TaskError("capability", message);
export const fileError = (message: string): TaskError => new TaskError("file", message);
export const mediaError = (message: string): TaskError => new TaskError("media", message);
export const sourceError = (message: string): TaskError => new TaskError("source", message);
