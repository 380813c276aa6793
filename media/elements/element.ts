import type { z } from "zod";
import type { Asset, AssetFile, ImageSequence, MediaFacts, Piece } from "../../shared/model/asset.ts";
import type { Demand } from "../../shared/model/demand.ts";
import { capabilityError, type Failure } from "../../shared/model/failure.ts";
import type { TaskSplit } from "../../shared/model/job.ts";
import type { StepResults } from "../../shared/model/step-result.ts";
import type { FrameListing, FrameQuestion } from "../../shared/work/frame-listing.ts";
import type { Manifest } from "../../shared/work/manifest.ts";
import type { Work } from "../../shared/work/work.ts";

/** A fact that an element needs before it can plan; an agent finds it, the coordinator keeps it. */
export type FactRequest = {
  /**
   * `manifest` reads a playlist, manifest or composition up to the addresses of its media; `frames` lists when frames
   * are shown and how they depend on one another, which reads the whole file.
   */
  readonly fact: "probe" | "manifest" | "frames";
  /** A file's address; the name of joined pieces; the pattern of an image sequence. */
  readonly uri: string;
  readonly pieces?: readonly Piece[];
  readonly images?: Pick<ImageSequence, "first" | "rate">;
  /** The question that `frames` answers. */
  readonly question?: FrameQuestion;
  /** Seconds to wait for a file that is still being written. */
  readonly waitSec?: number;
  /** Seconds for which a node keeps its copy of a remote file. */
  readonly cacheSec?: number;
};

/** Light tasks (probe, copy, notify) run in separate slots, so that finishing steps never wait behind encodes. */
export type Weight = "full" | "light";

export type TaskPlan<Detail> = {
  /** Unique within the element; the element's own uid if it has only one task. */
  readonly uid: string;
  readonly name: string;
  /** Capabilities that a node must have: `encoder:libx264`, `filter:scale`, `muxer:mp4`, `ffmpeg`. */
  readonly requires: readonly string[];
  readonly weight: Weight;
  /** Default: the demand of the kind. */
  readonly demand?: Demand;
  /** All such tasks of a stage run with one build of ffmpeg, because their files become one. */
  readonly isAlike?: true;
  /** What `compile` needs to know in addition to the context. */
  readonly detail: Detail;
};

export type Plan<Detail> =
  | { readonly need: readonly FactRequest[] }
  /**
   * Tasks whose results the plan needs before it can continue: it is called again when they have ended, and finds the
   * results in `stageResults` by task uid. Their files are not assets of the element.
   */
  | { readonly stage: string; readonly tasks: readonly TaskPlan<Detail>[] }
  /** Tasks that may run in parallel, and assets that already exist (a source's). */
  | {
      readonly tasks: readonly TaskPlan<Detail>[];
      readonly assets?: readonly Asset[];
      /** Warnings about the plan for the job. */
      readonly warnings?: readonly string[];
    };

/** Everything that a kind may use: data, never a file. */
export type PlanContext<Payload> = {
  readonly uid: string;
  readonly payload: Payload;
  readonly job: {
    readonly id: number;
    readonly name: string;
    readonly userTag?: string | null;
    readonly ownerEmail?: string | undefined;
  };
  /** The inputs from the connections that fired, in order. */
  readonly inputs: readonly Asset[];
  readonly factsOf: (uri: string) => FoundFacts | undefined;
  /** The outputs of the job's source, however far back it is. */
  readonly source?: readonly Asset[];
  /** Results of the elements that led here, nearest first. */
  readonly analyses?: readonly ElementResults[];
  /** On an error branch: the elements whose failure led here. */
  readonly failures?: readonly ElementFailure[];
  /** Results of the tasks of an ended stage, by the task's uid. */
  readonly stageResults?: (taskUid: string) => StepResults | undefined;
  /** The files that a task of an ended stage made, by output. */
  readonly stageOutputs?: (taskUid: string) => Readonly<Record<string, readonly AssetFile[]>> | undefined;
  /** The outputs of another element of the job so far. */
  readonly assetsOf?: (uid: string) => readonly Asset[] | undefined;
  /** How its tasks may be divided among nodes, as the element's `task.flags` say. */
  readonly split?: TaskSplit | undefined;
  /** The changes to this element by elements that have run. */
  readonly modifications?: readonly Modification[];
  /** Absent if no manifest was requested. */
  readonly manifestOf?: (uri: string) => Manifest | undefined;
  /** Absent if no frames were listed. */
  readonly framesOf?: (uri: string, question: FrameQuestion) => FrameListing | undefined;
};

/** The results of one element's tasks. */
export type ElementResults = { readonly uid: string; readonly kind: string; readonly results: StepResults };

/** A change of an element that another one requests: its kind and fields. */
export type Modification = { readonly kind: string; readonly fields: Readonly<Record<string, unknown>> };

export type ElementFailure = {
  readonly uid: string;
  readonly kind: string;
  readonly name: string;
  readonly failure: Failure | undefined;
};

export type FoundFacts = {
  readonly size: number;
  readonly modified: number;
  readonly facts: MediaFacts;
  /** For an image sequence: the counted number. */
  readonly images?: ImageSequence;
};

/**
 * One element kind: a schema and two pure functions. `plan` returns what can run in parallel, or which facts it needs
 * first; `compile` turns one planned task into argv, copies and requests as data. Both throw TaskError for what cannot
 * be done, with the cause and the field in the message.
 */
export type Element<Payload, Detail> = {
  readonly kind: string;
  /** Name in results and on pages. */
  readonly title: string;
  /** The weight of such an element in a job's progress; default 10, as for a transcode. */
  readonly effort?: number;
  /** Resources that each of its tasks uses in addition to a slot; none if absent. */
  readonly demand?: Demand;
  readonly payload: z.ZodType<Payload>;
  /**
   * Its inputs are passed on, but not what it writes about them: it examines media, or sends notifications about them.
   */
  readonly passesInputs?: boolean | ((payload: Payload) => boolean);
  /** What it makes is passed on besides its inputs. */
  readonly passesBoth?: boolean;
  /** Its changes to other elements of the job once it has run, by their uid. */
  readonly modifies?: (payload: Payload) => readonly (Modification & { readonly target: string })[];
  /** Elements that the payload names. They must exist. */
  readonly uidsIn?: (payload: Payload) => readonly { readonly path: readonly PropertyKey[]; readonly uid: string }[];
  /** Contradictions in the payload that do not depend on the source. */
  readonly conflicts?: (payload: Payload) => readonly PayloadConflict[];
  /** A warning to whoever submits such an element. */
  readonly caution?: string;
  /** Capabilities that the payload asks for, whatever the source. */
  readonly needs?: (payload: Payload) => readonly PayloadNeed[];
  /** Definitions of the job that it may set when it runs. */
  readonly variables?: (payload: Payload) => readonly string[];
  /** The files that it passes on were there before the job: its tasks only examine them. */
  readonly isSource?: true;
  /** Its results are findings, which pages show. */
  readonly hasFindings?: true;
  /** Of a kind that watches a folder: the job that a file of it begins. Throws TaskError where there is none. */
  readonly childJob?: (job: Record<string, unknown>, uid: string, fileUri: string) => Record<string, unknown>;
  /** Of a kind that enumerates: what its tasks found, and how many files make a batch of what follows. */
  readonly batches?: (payload: Payload, results: StepResults) => FoundBatches;
  readonly plan: (context: PlanContext<Payload>) => Plan<Detail>;
  readonly compile: (task: TaskPlan<Detail>, context: PlanContext<Payload>) => Work;
};

/** Files that an enumeration found, and how many of them make one batch. */
export type FoundBatches = { readonly files: number; readonly size: number };

/** A kind as the coordinator sees it: the payload parsed, the detail opaque. */
export type AnyElement = Element<unknown, unknown>;

/** A capability that a field of the payload asks for: `encoder:libx264`. */
export type PayloadNeed = { readonly path: readonly PropertyKey[]; readonly capability: string };

/**
 * Two contradicting fields of a payload: with strict compliance the job is refused, otherwise the field is reported and
 * ignored.
 */
export type PayloadConflict = {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly isStrict: boolean;
};

/**
 * A kind that only a vendor's licensed program performs: jobs are accepted with a warning, its tasks are refused by
 * name.
 */
export const defineLicensed = ({
  kind,
  title,
  payload,
  program,
}: Pick<AnyElement, "kind" | "title" | "payload"> & { readonly program: string }): AnyElement => ({
  kind,
  title,
  payload,
  caution: `elements of kind "${kind}" need ${program}, which this farm does not have: the element will fail`,
  plan: ({ uid }) => {
    throw capabilityError(`${uid}: elements of kind "${kind}" need ${program}, which this farm does not have`);
  },
  compile: () => {
    throw new Error(`an element of kind ${kind} plans no tasks`);
  },
});

export const defineElement = <Payload, Detail>(element: Element<Payload, Detail>): AnyElement =>
  // The registry calls a kind only with data from its own schema and plan, which the type of a list cannot express.
  element as unknown as AnyElement;
