import type { Clock } from "../../shared/basics/clock.ts";
import type { WordOrSecret } from "../../shared/credentials/secret-words.ts";
import type { StepResult } from "../../shared/model/step-result.ts";
import type { Progress } from "../../shared/protocol/messages.ts";
import type { Published, StepKind, StepOf, Work } from "../../shared/work/work.ts";
import type { PathResolver } from "../paths/path-resolver.ts";
import type { ResolvedPaths } from "../paths/resolved-paths.ts";
import type { StorageOf } from "../storage/index.ts";
import type { MediaTools } from "../tools/media-tools.ts";
import type { Services } from "../tools/services.ts";
import type { AttemptLog } from "./attempt-log.ts";

export type Found = Published["found"][string];

/** What a performer may use. */
export type StepContext = {
  readonly work: Work;
  readonly paths: ResolvedPaths;
  readonly resolver: PathResolver;
  readonly storageOf: StorageOf;
  readonly clock: Clock;
  readonly tools: MediaTools;
  readonly services: Services;
  readonly log: AttemptLog;
  readonly signal: AbortSignal;
  /** Resolves when work may continue: the owner may have claimed the machine for a while. */
  readonly pause?: () => Promise<void>;
  /** The text, or the secret of this name from the assignment. Throws TaskError if the assignment has none. */
  readonly secret: (word: WordOrSecret) => string;
  /** A folder of this attempt. */
  readonly scratch: string;
  /** The results of the attempt's steps so far, by result id. */
  readonly results: ReadonlyMap<string, StepResult>;
  /** Stores a result; throws TaskError if it is too large. */
  readonly keepResult: (id: string, result: StepResult) => void;
  /** The percentage of this step. */
  readonly onProgress: (progress: Progress) => void;
  readonly onUsage: (usage: { cpuMs?: number; peakMemory?: number }) => void;
};

/** Performs one kind of step; returns its result, if the kind has one. */
export type Performer<K extends StepKind> = (step: StepOf<K>, context: StepContext) => Promise<Found | undefined>;
