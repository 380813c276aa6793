import type { ObjectOptions } from "../../../shared/files/object-options.ts";
import type { SplicePoint } from "../../../shared/work/splice-point.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import type { Extras } from "./filters/extras.ts";
import type { Target } from "./target-schema.ts";

/** A target as planning sees it: its fields, its source, and all that is around it. */
export type TargetRequest = {
  readonly target: Target & { readonly uid: string };
  /** Folder of the element, where it has one. */
  readonly parent: string | undefined;
  /** The location's other fields, for the files in it. */
  readonly object?: ObjectOptions | undefined;
  readonly source: VirtualSource;
  /** Whether every picture of the source is known to be a key frame. */
  readonly isIntra: boolean;
  /** The file whose name is the base of target names. */
  readonly uri: string;
  readonly jobId: number;
  /** What its filters need beside its tracks. */
  readonly extras: Extras;
  /** How many times faster than the source the target plays. */
  readonly speed: number | undefined;
  /** Points for advertisements within it. */
  readonly splices: readonly SplicePoint[];
  /** Its path in the job: `uid.payload.targets[0]`. */
  readonly path: string;
};
