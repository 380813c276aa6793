import type { Ground } from "../ground.ts";
import type { Store } from "../store/store.ts";
import type { Trail } from "../trail/trail.ts";
import type { Committer } from "./committer.ts";
import type { TimeSlice } from "./time-slice.ts";
import type { Values } from "./values.ts";

/** Decisions are made on `values`, and are stored in batches. */
export type Kernel = Ground & {
  readonly store: Store;
  readonly values: Values;
  readonly timeSlice: TimeSlice;
  readonly trail: Trail;
  /** Whether this coordinator leads and its store takes what is decided. */
  readonly isReady: () => Promise<boolean>;
  /** How the store failed lately, if it did: on a disk that fails, a damaged page, a server that is away. */
  readonly storeTrouble: () => string | undefined;
} & Pick<Committer, "change" | "changeLater" | "commits" | "settle" | "wake">;
