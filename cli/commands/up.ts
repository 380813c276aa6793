import { nothing, type ParsedCommand } from "../command.ts";
import { agentFlags } from "../farm-flags.ts";

/** A coordinator and, by default, one agent on this machine. */
export const up: ParsedCommand = {
  name: "up",
  words: "",
  summary: "Start a farm on this machine: the coordinator with its API, and a local agent.",
  details:
    'The first start of a data folder shows the credentials once; this user\'s commands find them automatically. With --json it prints one line when it is ready: {"event":"ready","base_url",…,"join_token"}. Ctrl-C or SIGTERM stops it cleanly.',
  flags: {
    data: {
      type: "string",
      value: "DIR",
      offers: "folders",
      help: "Where the farm keeps its jobs and keys.",
      default: "~/.mediafarm",
    },
    host: { type: "string", value: "H", help: "The address to listen on.", default: "127.0.0.1, this machine only" },
    port: {
      type: "string",
      value: "N",
      help: "The port to listen on; 0 picks a free one.",
      default: "8700; 8701 for --entry test",
    },
    "host-name": {
      type: "string",
      value: "NAME",
      multiple: true,
      help: "Another name under which browsers may open the pages: an alias, or the name of a proxy.",
      default: "MEDIAFARM_HOST_NAMES, separated by commas",
    },
    proxy: {
      type: "string",
      value: "ADDRESS",
      multiple: true,
      help: "The address or network of a trusted proxy: its X-Forwarded-* headers are used.",
      default: "MEDIAFARM_PROXIES, separated by commas",
    },
    entry: {
      type: "string",
      value: "production|test",
      help: "test: the same API with separate data, only for jobs of schema api_test.",
      default: "production",
    },
    "owner-email": {
      type: "string",
      value: "ADDRESS",
      help: "The mail address of the farm's owner, for {account_owner_email} in notifications.",
      default: "MEDIAFARM_OWNER_EMAIL",
    },
    "no-agent": { type: "boolean", help: "Start the coordinator without a local agent." },
    ...agentFlags,
  },
  examples: [
    ["mediafarm up --root ~/media", "starts a farm on this machine; jobs may read and write ~/media"],
    [
      "mediafarm up --no-agent --host 0.0.0.0 --port 8700",
      "starts only a coordinator that other machines can reach; they join with the token it prints",
    ],
  ],
  check: nothing("up"),
  // Loaded only here, so that the other commands start faster without the server's libraries.
  run: async (call) => (await import("../run-farm.ts")).runFarm(call),
};
