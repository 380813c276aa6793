import { nothing, type ParsedCommand } from "../../command/command.ts";
import { agentFlags } from "../../local-farm/agent-flags.ts";

/** A coordinator and, by default, one agent on this machine. */
export const up: ParsedCommand = {
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
    store: {
      type: "string",
      value: "ADDRESS",
      help: "Keep the farm in a PostgreSQL database: postgres://USER@HOST/DATABASE. Every `up` with the same database leads, or stands by.",
      default: "MEDIAFARM_STORE, or SQLite in the data folder",
    },
    address: {
      type: "string",
      value: "URL",
      help: "Where the farm's other coordinators, and their clients, find this one: https://HOST:PORT.",
      default: "MEDIAFARM_ADDRESS, or the name of this machine",
    },
    coordinator: {
      type: "string",
      value: "URL",
      multiple: true,
      help: "The address of another coordinator of this farm: join tokens name it, so that nodes move there by themselves.",
      default: "MEDIAFARM_COORDINATORS, separated by commas",
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
    tls: {
      type: "boolean",
      help: "Serve HTTPS with a certificate of the farm's own, also on this machine alone.",
      default: "on, if --host is an address that other machines can reach",
    },
    "no-tls": {
      type: "boolean",
      help: "Serve plain HTTP although other machines can connect, for a proxy that encrypts.",
    },
    "tls-cert": {
      type: "string",
      value: "FILE",
      offers: "files",
      help: "Serve HTTPS with this certificate and those above it (PEM). It is read again when it changes, and on SIGHUP.",
      default: "MEDIAFARM_TLS_CERT, or the farm's own",
    },
    "tls-key": {
      type: "string",
      value: "FILE",
      offers: "files",
      help: "The key of this certificate (PEM).",
      default: "MEDIAFARM_TLS_KEY",
    },
    "tls-new-key": {
      type: "boolean",
      help: "Replace the key of the farm's own TLS authority at this start. Nodes that have connected before follow.",
    },
    backups: {
      type: "string",
      value: "DIR",
      offers: "folders",
      help: "Where the farm puts the backups that it makes of itself. Best on another disk, or on a share.",
      default: "MEDIAFARM_BACKUPS, or none: no backups are made",
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
      "starts only a coordinator that other machines can reach over TLS; they join with the token it prints",
    ],
  ],
  check: nothing("up"),
  // Loaded only here, so that the other commands start faster without the server's libraries.
  run: async (call) => (await import("../../local-farm/run-farm.ts")).runFarm(call),
};
