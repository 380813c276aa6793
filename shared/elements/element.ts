import type { z } from "zod";
import type { Asset, ImageSequence, MediaFacts, Piece } from "../asset.ts";
import { type Failure, TaskError } from "../causes.ts";
import type { Demand } from "../demand.ts";
import type { FrameListing, FrameQuestion } from "../frame-listing.ts";
import type { Manifest } from "../manifests/manifest.ts";
import type { StepResults } from "../results/result.ts";
import type { Work } from "../work.ts";

/** Something an element must know before it can plan; an agent finds it out, the coordinator keeps it. */
export type FactRequest = {
  /**
   * `manifest` reads a playlist, manifest or composition as far as the addresses of its media; `frames` lists when
   * frames are shown and how they depend on one another, for which all of the file is read.
   */
  readonly fact: "probe" | "manifest" | "frames";
  /** A file's address; the name of joined pieces; the pattern of an image sequence. */
  readonly uri: string;
  readonly pieces?: readonly Piece[];
  readonly images?: Pick<ImageSequence, "first" | "rate">;
  /** What `frames` is to find out. */
  readonly question?: FrameQuestion;
  /** Seconds to wait for a file that is still on its way. */
  readonly waitSec?: number;
};

/** Light tasks (probe, copy, notify) run in slots of their own, so that finishing steps never wait behind encodes. */
export type Weight = "full" | "light";

export type TaskPlan<Detail> = {
  /** Unique within the element; the element's own uid where it has but one task. */
  readonly uid: string;
  readonly name: string;
  /** What a node must be able to do: `encoder:libx264`, `filter:scale`, `muxer:mp4`, `ffmpeg`. */
  readonly requires: readonly string[];
  readonly weight: Weight;
  /** The kind's own where absent. */
  readonly demand?: Demand;
  /** What `compile` needs to know beyond the context. */
  readonly detail: Detail;
};

export type Plan<Detail> =
  | { readonly need: readonly FactRequest[] }
  /**
   * Tasks whose results the plan needs before it can go on: it is asked again when they have ended, and finds them in
   * `stageResults` by task uid. Their files are no assets of the element.
   */
  | { readonly stage: string; readonly tasks: readonly TaskPlan<Detail>[] }
  /** Tasks that may run side by side, and assets that exist already (a source's). */
  | {
      readonly tasks: readonly TaskPlan<Detail>[];
      readonly assets?: readonly Asset[];
      /** What the job's people are to know of the plan: they become warnings of the job. */
      readonly warnings?: readonly string[];
    };

/** All that a kind may look at: data, never a file. */
export type PlanContext<Payload> = {
  readonly uid: string;
  readonly payload: Payload;
  readonly job: {
    readonly id: number;
    readonly name: string;
    readonly userTag?: string | null;
    readonly ownerEmail?: string | undefined;
  };
  /** What came along the connections that fired, in their order. */
  readonly inputs: readonly Asset[];
  readonly factsOf: (uri: string) => FoundFacts | undefined;
  /** What the job's source gave, however far back it lies. */
  readonly source?: readonly Asset[];
  /** Results of the elements that led here, the nearest first. */
  readonly analyses?: readonly ElementResults[];
  /** On an error branch: the elements whose failure led here. */
  readonly failures?: readonly ElementFailure[];
  /** Results of the tasks of an ended stage, by the task's uid. */
  readonly stageResults?: (taskUid: string) => StepResults | undefined;
  /** What another element of the job has given so far. */
  readonly assetsOf?: (uid: string) => readonly Asset[] | undefined;
  /** What elements that have run change of this one. */
  readonly modifications?: readonly Modification[];
  /** Absent where no manifest was asked for. */
  readonly manifestOf?: (uri: string) => Manifest | undefined;
  /** Absent where no frames were listed. */
  readonly framesOf?: (uri: string, question: FrameQuestion) => FrameListing | undefined;
};

/** What the tasks of one element found out. */
export type ElementResults = { readonly uid: string; readonly kind: string; readonly results: StepResults };

/** A change of an element that another one asks for: a kind of change, and its fields. */
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
  /** Of an image sequence, counted. */
  readonly images?: ImageSequence;
};

/**
 * One element kind: a schema and two pure functions. `plan` says what can run in parallel, or which facts it needs
 * first; `compile` turns one planned task into argv, copies and requests as data. Both throw TaskError for what
 * cannot be done, with the cause and the field in its words.
 */
export type Element<Payload, Detail> = {
  readonly kind: string;
  /** Name in results and on pages. */
  readonly title: string;
  /** Share of a job's progress that such an element makes, against 10 for a transcode; 10 where absent. */
  readonly effort?: number;
  /** What each of its tasks takes of a node beside a slot; nothing that is counted where absent. */
  readonly demand?: Demand;
  readonly payload: z.ZodType<Payload>;
  /** What comes in goes on to what follows, beside what its tasks make: it looks at media, or tells somebody of them. */
  readonly passesInputs?: boolean | ((payload: Payload) => boolean);
  /** What it changes of other elements of the job once it has run, by their uid. */
  readonly modifies?: (payload: Payload) => readonly (Modification & { readonly target: string })[];
  /** Elements that the payload names. They must be there. */
  readonly uidsIn?: (payload: Payload) => readonly { readonly path: readonly PropertyKey[]; readonly uid: string }[];
  /** What contradicts itself in the payload alone, whatever the source is. */
  readonly conflicts?: (payload: Payload) => readonly PayloadConflict[];
  readonly plan: (context: PlanContext<Payload>) => Plan<Detail>;
  readonly compile: (task: TaskPlan<Detail>, context: PlanContext<Payload>) => Work;
};

/** A kind as the coordinator sees it: the payload parsed, the detail opaque. */
export type AnyElement = {
  readonly kind: string;
  readonly title: string;
  readonly effort?: number;
  readonly demand?: Demand;
  readonly payload: z.ZodType;
  readonly passesInputs?: boolean | ((payload: unknown) => boolean);
  readonly modifies?: (payload: unknown) => readonly (Modification & { readonly target: string })[];
  readonly uidsIn?: (payload: unknown) => readonly { readonly path: readonly PropertyKey[]; readonly uid: string }[];
  /** Not implemented in this version. */
  readonly isUnperformed?: boolean;
  /** Told as a warning to whoever submits such an element. */
  readonly caution?: string;
  readonly conflicts?: (payload: unknown) => readonly PayloadConflict[];
  readonly plan: (context: PlanContext<unknown>) => Plan<unknown>;
  readonly compile: (task: TaskPlan<unknown>, context: PlanContext<unknown>) => Work;
};

/** Two fields of a payload that contradict each other: a strict one is refused, the other is told of and ignored. */
export type PayloadConflict = {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly isStrict: boolean;
};

/** A kind that only a vendor's licensed program performs: jobs are accepted with a warning, its tasks are refused by name. */
export const defineLicensed = ({
  kind,
  title,
  payload,
  program,
}: Pick<AnyElement, "kind" | "title" | "payload"> & { readonly program: string }): AnyElement => ({
  kind,
  title,
  payload,
  caution: `elements of kind "${kind}" need ${program}, which this farm has not: the element will fail`,
  plan: ({ uid }) => {
    throw new TaskError("capability", `${uid}: elements of kind "${kind}" need ${program}, which this farm has not`);
  },
  compile: () => {
    throw new Error(`an element of kind ${kind} plans no tasks`);
  },
});

export const defineElement = <Payload, Detail>(element: Element<Payload, Detail>): AnyElement =>
  // The registry calls a kind only with what its own schema and plan gave, which the type of a list cannot say.
  element as unknown as AnyElement;

/**
 * A kind whose jobs are checked and accepted, and which this version cannot perform: its tasks fail when they are planned.
 * `defineElement` with a plan and a compile takes its place.
 */
export const defineUnperformed = ({
  kind,
  title,
  payload,
}: Pick<AnyElement, "kind" | "title" | "payload">): AnyElement => ({
  kind,
  title,
  payload,
  isUnperformed: true,
  plan: ({ uid }) => {
    throw new TaskError("capability", `${uid}: elements of kind "${kind}" are not implemented in this version`);
  },
  compile: () => {
    throw new Error(`an element of kind ${kind} plans no tasks`);
  },
});
