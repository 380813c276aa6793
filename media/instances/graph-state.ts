import type { ElementRunState } from "../../shared/state/element-run.ts";
import type { Batches, Frame } from "./frame.ts";
import type { Path } from "./path.ts";
import type { Queue } from "./queue.ts";
import type { Shape } from "./shape.ts";

/** The maximum number of instances of a job, and of those that have begun and not ended. */
export const instanceLimits = { inJob: 100_000, open: 1000 };

/** One run of an element. */
export type Instance = { readonly uid: string; readonly path: Path };

/**
 * A job's graph while it runs. Counts are kept up to date with each move, so that no query walks all elements or
 * instances. Only `moveRun` and `openNext` change it, and each change records its undo.
 */
export type Graph = {
  readonly shape: Shape;
  readonly limits: typeof instanceLimits;
  readonly root: Frame;
  /** Open frames by key. */
  readonly frames: Map<string, Frame>;
  readonly counts: Map<ElementRunState, number>;
  /** Instances whose connections are decided, by whether one fired. */
  readonly toSkip: Queue<Instance>;
  readonly toStart: Queue<Instance>;
  /** Instances to start that belong to a batch. */
  readonly toStartInBatches: Queue<Instance>;
  /** Enumerations with batches that were not opened. */
  readonly unopened: Map<Batches, true>;
  /** The number of instances of batches that have begun and not ended. */
  begun: number;
  /** The number of instances of all batches, opened or not. */
  instances: number;
  /** The effort of elements that succeeded, and of all that were not skipped. */
  done: number;
  total: number;
};
