import type { CommandEntry, ParsedCommand } from "../command/command.ts";

/** A command that uses a farm, which flags may name. */
const ofFarm = (load: () => Promise<ParsedCommand>) => async (): Promise<ParsedCommand> => {
  const [command, { farmFlags }] = await Promise.all([load(), import("../farms/chosen-farm.ts")]);
  return { ...command, flags: { ...command.flags, ...farmFlags } };
};

/** All commands, in the order of help. Only the one that is used is loaded. */
export const commands: readonly CommandEntry[] = [
  {
    name: "up",
    words: "",
    summary: "Start a farm on this machine: the coordinator with its API, and a local agent.",
    load: async () => (await import("./farm/up.ts")).up,
  },
  {
    name: "move-store",
    words: "FROM TO",
    summary: "Move a farm that stands still from SQLite to PostgreSQL, or back.",
    load: async () => (await import("./farm/move-store.ts")).moveStore,
  },
  {
    name: "agent",
    words: "",
    summary: "Lend this machine to a farm on another machine.",
    load: async () => (await import("./nodes/agent.ts")).agent,
  },
  {
    name: "submit",
    words: "FILE|-",
    summary: "Submit a job: a JSON file, or - for standard input.",
    load: ofFarm(async () => (await import("./jobs/submit.ts")).submit),
  },
  {
    name: "jobs",
    words: "",
    summary: "List jobs, newest first.",
    load: ofFarm(async () => (await import("./jobs/jobs.ts")).jobs),
  },
  {
    name: "job",
    words: "ID",
    summary: "Show one job: its tasks, outputs and errors, and what to do about them.",
    load: ofFarm(async () => (await import("./jobs/job.ts")).job),
  },
  {
    name: "stop",
    words: "ID...",
    summary: "Stop jobs on every node; finished outputs stay.",
    load: ofFarm(async () => (await import("./jobs/stop.ts")).stop),
  },
  {
    name: "pause",
    words: "ID...",
    summary: "Pause jobs: no more tasks start, running tasks finish.",
    load: ofFarm(async () => (await import("./jobs/pause.ts")).pause),
  },
  {
    name: "resume",
    words: "ID...",
    summary: "Resume jobs that are paused or scheduled.",
    load: ofFarm(async () => (await import("./jobs/pause.ts")).resume),
  },
  {
    name: "retry",
    words: "ID",
    summary: "Run the failed parts of a job again; finished outputs stay.",
    load: ofFarm(async () => (await import("./jobs/retry.ts")).retry),
  },
  {
    name: "priority",
    words: "VALUE ID...",
    summary: "Set the priority of jobs; higher runs first.",
    load: ofFarm(async () => (await import("./jobs/priority.ts")).priority),
  },
  {
    name: "delete",
    words: "ID...",
    summary: "Delete jobs in any state; running tasks stop, output files stay.",
    load: ofFarm(async () => (await import("./jobs/delete.ts")).deleteJobs),
  },
  {
    name: "outputs",
    words: "ID",
    summary: "List the files that a job made: address, size and content.",
    load: ofFarm(async () => (await import("./jobs/outputs.ts")).outputs),
  },
  {
    name: "download",
    words: "ID [PATTERN]",
    summary: "Fetch the files that a job made: resumes, and checks size and checksum.",
    load: ofFarm(async () => (await import("./jobs/download.ts")).download),
  },
  {
    name: "logs",
    words: "TASK_ID",
    summary: "Show the logs of a task's attempts, oldest first.",
    load: ofFarm(async () => (await import("./jobs/logs.ts")).logs),
  },
  {
    name: "explain",
    words: "TASK_ID",
    summary: "Explain why a task waits, in general and on each node.",
    load: ofFarm(async () => (await import("./jobs/explain.ts")).explain),
  },
  {
    name: "nodes",
    words: "",
    summary: "List the farm's nodes: connection, state and running tasks.",
    load: ofFarm(async () => (await import("./nodes/nodes.ts")).nodes),
  },
  {
    name: "node",
    words: "ID",
    summary: "Show one node, or drain, pause, retag, resize or revoke it.",
    load: ofFarm(async () => (await import("./nodes/node.ts")).node),
  },
  {
    name: "join-token",
    words: "[renew | create NAME | end ID | list]",
    summary: "Show, replace or limit the join tokens for new nodes, on the coordinator's own machine.",
    load: ofFarm(async () => (await import("./nodes/join-token.ts")).joinToken),
  },
  {
    name: "groups",
    words: "[set NAME | remove NAME]",
    summary: "Show, create or delete compute groups: nodes that share tags.",
    load: ofFarm(async () => (await import("./nodes/groups.ts")).groups),
  },
  {
    name: "limits",
    words: "[set TAG=N... | remove TAG...]",
    summary: "Show or change how many tasks with a tag may run in parallel on the whole farm.",
    load: ofFarm(async () => (await import("./farm/limits.ts")).limits),
  },
  {
    name: "mounts",
    words: "[set PREFIX=DIR... | remove PREFIX...]",
    summary: "Show or change the farm's mounts, which map addresses to folders on every node.",
    load: ofFarm(async () => (await import("./nodes/mounts.ts")).mounts),
  },
  {
    name: "outbound",
    words: "[add RULE... | remove RULE...]",
    summary: "Show or change what jobs may reach over the network from every node.",
    load: ofFarm(async () => (await import("./farm/outbound.ts")).outbound),
  },
  {
    name: "presets",
    words: "[show KEY | create FILE|- | delete KEY]",
    summary: "Show, create or delete presets: payloads that elements use by key.",
    load: ofFarm(async () => (await import("./jobs/presets.ts")).presets),
  },
  {
    name: "credentials",
    words: "[put FILE|- | change FILE|- | test NAME | delete NAME]",
    summary: "Show, store or delete storage credentials, which jobs name as access.credentials_key.",
    load: ofFarm(async () => (await import("./farm/credentials.ts")).credentials),
  },
  {
    name: "webhooks",
    words:
      "[add FILE|- | change FILE|- | remove|on|off|test|rotate|messages NAME | message NAME ID | send-again NAME ID...]",
    summary: "Show or change what programs are told of events, see whether it arrived, and send it again.",
    load: ofFarm(async () => (await import("./farm/webhooks.ts")).webhooks),
  },
  {
    name: "people",
    words: "[add NAME | role NAME ROLE | reset NAME | clear NAME | remove NAME]",
    summary: "Show or change who may sign in to the dashboard, on the coordinator's own machine.",
    load: ofFarm(async () => (await import("./people/people.ts")).people),
  },
  {
    name: "sign-in",
    words: "[passwords on|off | second-step ROLE|nobody | put FILE | test NAME | remove NAME]",
    summary: "Show or change how people sign in, on the coordinator's own machine.",
    load: ofFarm(async () => (await import("./people/sign-in.ts")).signIn),
  },
  {
    name: "api-users",
    words: "[create [NAME] | revoke AUTH_KEY]",
    summary: "Show, create or revoke API users, on the coordinator's own machine.",
    load: ofFarm(async () => (await import("./people/api-users.ts")).apiUsers),
  },
  {
    name: "account",
    words: "[secret | renew]",
    summary: "Show the account's OAPI key or its secret, or replace both, on the coordinator's own machine.",
    load: ofFarm(async () => (await import("./people/account.ts")).account),
  },
  {
    name: "audit",
    words: "[FILE]",
    summary: "Show who changed what or was refused, and check that the record of it is whole.",
    load: ofFarm(async () => (await import("./people/audit.ts")).audit),
  },
  {
    name: "farms",
    words: "",
    summary: "List the farms started here, and mark the current one, which commands use.",
    load: async () => (await import("./farm/farms.ts")).farms,
  },
  {
    name: "use",
    words: "NAME",
    summary: "Make this farm the current one, which commands use.",
    load: async () => (await import("./farm/farms.ts")).use,
  },
  {
    name: "lead",
    words: "",
    summary: "Show which coordinator leads the farm, or hand it over to one that stands by.",
    load: ofFarm(async () => (await import("./farm/lead.ts")).lead),
  },
  {
    name: "backup",
    words: "FILE",
    summary: "Write the whole farm of this machine into one checked file, while it runs.",
    load: ofFarm(async () => (await import("./farm/backup.ts")).backup),
  },
  {
    name: "restore",
    words: "FILE",
    summary: "Make a data folder of a backup, for mediafarm up.",
    load: async () => (await import("./farm/restore.ts")).restore,
  },
  {
    name: "rehearse",
    words: "FILE",
    summary: "Try on a copy whether this program can take over the farm of a backup.",
    load: ofFarm(async () => (await import("./farm/rehearse.ts")).rehearse),
  },
  {
    name: "upgrade",
    words: "FILE",
    summary: "Rehearse an upgrade on a copy of the farm, and install the newer package.",
    load: ofFarm(async () => (await import("./farm/upgrade.ts")).upgrade),
  },
  {
    name: "rollback",
    words: "",
    summary: "Go back to what was installed before the last upgrade.",
    load: ofFarm(async () => (await import("./farm/rollback.ts")).rollback),
  },
  {
    name: "doctor",
    words: "",
    summary: "Look at everything that the farm on this machine needs, and say what is wrong.",
    load: ofFarm(async () => (await import("./farm/doctor.ts")).doctor),
  },
  {
    name: "service",
    words: "install|remove|status [-- FLAGS]",
    summary: "Have this system start a farm or an agent by itself, from now on.",
    load: async () => (await import("./farm/service.ts")).service,
  },
  {
    name: "mcp",
    words: "",
    summary: "Offer the farm to language models: a server of the Model Context Protocol on standard input.",
    load: ofFarm(async () => (await import("./farm/mcp.ts")).mcp),
  },
  {
    name: "completion",
    words: "bash|zsh|fish",
    summary: "Print a shell completion script for commands, flags and their values.",
    load: async () => (await import("./completion.ts")).completionOf(commands),
  },
  {
    name: "help",
    words: "[COMMAND]",
    summary: "Show all commands, or one with its flags and examples.",
    load: async () => (await import("./help.ts")).help(commands),
  },
];
