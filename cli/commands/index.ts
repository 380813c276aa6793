import type { Command, ParsedCommand } from "../command.ts";
import { farmFlags } from "../machine.ts";
import { account } from "./account.ts";
import { agent } from "./agent.ts";
import { apiUsers } from "./api-users.ts";
import { completionOf } from "./completion.ts";
import { credentials } from "./credentials.ts";
import { deleteJobs } from "./delete.ts";
import { explain } from "./explain.ts";
import { farms, use } from "./farms.ts";
import { groups } from "./groups.ts";
import { help } from "./help.ts";
import { job } from "./job.ts";
import { jobs } from "./jobs.ts";
import { joinToken } from "./join-token.ts";
import { limits } from "./limits.ts";
import { logs } from "./logs.ts";
import { mounts } from "./mounts.ts";
import { node } from "./node.ts";
import { nodes } from "./nodes.ts";
import { outbound } from "./outbound.ts";
import { outputs } from "./outputs.ts";
import { pause, resume } from "./pause.ts";
import { people } from "./people.ts";
import { presets } from "./presets.ts";
import { priority } from "./priority.ts";
import { retry } from "./retry.ts";
import { stop } from "./stop.ts";
import { submit } from "./submit.ts";
import { up } from "./up.ts";

/** Commands that use a farm, which flags may name. */
const ofFarms: readonly ParsedCommand[] = [
  submit,
  jobs,
  job,
  stop,
  pause,
  resume,
  retry,
  priority,
  deleteJobs,
  outputs,
  logs,
  explain,
  nodes,
  node,
  joinToken,
  groups,
  limits,
  mounts,
  outbound,
  presets,
  credentials,
  people,
  apiUsers,
  account,
];

/** All commands. Parsing, help and completion use this table. */
export const commands: readonly Command[] = [
  up,
  agent,
  ...ofFarms.map((command) => ({ ...command, flags: { ...command.flags, ...farmFlags } })),
  farms,
  use,
  completionOf(() => commands),
  help(() => commands),
];
