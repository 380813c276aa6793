import type { Secrets } from "../secrets/secrets.ts";
import type { JobSchedule } from "../store/rows.ts";
import type { JobStarter } from "./begin.ts";
import type { JobReader } from "./job-reader.ts";
import type { JobRetention } from "./retention.ts";

export type Jobs = Secrets & {
  /** Jobs that may start nothing now: paused or scheduled. */
  readonly pausedJobs: Map<number, JobSchedule>;
  /** Jobs that are stored and wait to be begun. */
  readonly jobStarter: JobStarter;
  readonly jobReader: JobReader;
  readonly retention: JobRetention;
};
