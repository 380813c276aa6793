import type { ParsedCommand } from "../command.ts";
import { agentFlags } from "../farm-flags.ts";

/** A coordinator and, unless told otherwise, one agent on this machine. */
export const up: ParsedCommand = {
  name: "up",
  words: "",
  summary: "Start a farm on this machine: the coordinator with its API, and a local agent.",
  details:
    'The first start of a data folder shows the credentials once; this user\'s commands find them by themselves. With --json one line tells that it is ready: {"event":"ready","base_url",…,"join_token"}. Ctrl-C or SIGTERM ends it cleanly.',
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
      help: "A name by which browsers may ask for the pages, beside this machine's own: of a proxy, or an alias.",
      default: "MEDIAFARM_HOST_NAMES, names between commas",
    },
    proxy: {
      type: "string",
      value: "ADDRESS",
      multiple: true,
      help: "The address or network of a proxy whose word counts for who asks and by which protocol (X-Forwarded-*).",
      default: "MEDIAFARM_PROXIES, addresses between commas",
    },
    entry: {
      type: "string",
      value: "production|test",
      help: "test: the same API with data of its own, for jobs of schema api_test alone.",
      default: "production",
    },
    "owner-email": {
      type: "string",
      value: "ADDRESS",
      help: "The mail address of the farm's owner: what {account_owner_email} stands for in notifications.",
      default: "MEDIAFARM_OWNER_EMAIL",
    },
    "no-agent": { type: "boolean", help: "Start the coordinator alone; agents come from elsewhere." },
    ...agentFlags,
  },
  examples: [
    ["mediafarm up --root ~/media", "a farm of this machine; jobs may read and write ~/media"],
    [
      "mediafarm up --no-agent --host 0.0.0.0 --port 8700",
      "a coordinator alone that other machines reach; they join with the token it shows",
    ],
  ],
  check: (positionals) => (positionals.length > 0 ? `up takes no "${positionals[0]}"` : undefined),
  // Loaded only here: the other verbs are quicker without the server's libraries.
  run: async (call) => (await import("../run-farm.ts")).runFarm(call),
};
