import type { Command } from "../command.ts";
import { agent } from "./agent.ts";
import { completionOf } from "./completion.ts";
import { deleteJobs } from "./delete.ts";
import { help } from "./help.ts";
import { job } from "./job.ts";
import { jobs } from "./jobs.ts";
import { logs } from "./logs.ts";
import { mounts } from "./mounts.ts";
import { node } from "./node.ts";
import { nodes } from "./nodes.ts";
import { stop } from "./stop.ts";
import { submit } from "./submit.ts";
import { up } from "./up.ts";

/** Every verb of the command line: parsing, help and completion are made from this table. */
export const commands: readonly Command[] = [
  up,
  agent,
  submit,
  jobs,
  job,
  stop,
  deleteJobs,
  logs,
  nodes,
  node,
  mounts,
  completionOf(() => commands),
  help(() => commands),
];
