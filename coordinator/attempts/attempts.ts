import type { ApiTestRun, ApiTestStep } from "../../shared/model/api-test.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { OpenTask } from "../schedule/open-task.ts";
import type { LiveLogs } from "./live-logs.ts";

export type Attempts = Jobs & {
  /** Tasks that the coordinator only simulates, by id. */
  readonly simulated: Map<number, SimulatedTask>;
  /** Logs of running attempts that somebody is viewing. */
  readonly liveLogs: LiveLogs;
};

/** A task of an api_test job, and its current or next simulated run. */
export type SimulatedTask = { readonly task: OpenTask; readonly script: ApiTestStep; readonly run: ApiTestRun };
