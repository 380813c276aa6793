import { homedir, hostname } from "node:os";
import { join, resolve } from "node:path";
import { pino } from "pino";
import { coordinatorConfig } from "../../coordinator/config.ts";
import { type Coordinator, startCoordinator } from "../../coordinator/coordinator.ts";
import { systemClock } from "../../shared/system-clock.ts";
import { type ParsedCommand, textOf, type Values } from "../command.ts";
import { keepCredentials } from "../credentials.ts";
import { agentFlags, agentWords, numberOf } from "../farm-flags.ts";
import { startLocalAgent } from "../local-agent.ts";
import type { Output } from "../output.ts";
import { untilStopped } from "../signals.ts";

/** A coordinator and, unless told otherwise, one agent on this machine. */
export const up: ParsedCommand = {
  name: "up",
  usage:
    "up [--data DIR] [--host H] [--port N] [--slots N] [--name S] [--tags a,b] [--root DIR]... [--mount PREFIX=DIR]... [--no-agent]",
  summary: "Start a farm on this machine: the coordinator and a local agent. --root names folders jobs may use.",
  options: {
    data: { type: "string" },
    host: { type: "string" },
    port: { type: "string" },
    "no-agent": { type: "boolean" },
    ...agentFlags,
  },
  check: (positionals) => (positionals.length > 0 ? `up takes no "${positionals[0]}"` : undefined),
  run: async ({ values, output }) => {
    const dataDir = resolve(textOf(values, "data") ?? join(homedir(), ".mediafarm"));
    const words = agentWords(values);
    const log = pino({ level: process.env.MEDIAFARM_LOG ?? "warn" }, pino.destination(2));
    const config = coordinatorConfig.parse({
      ...JSON.parse(process.env.MEDIAFARM_TIMING ?? "{}"),
      dataDir: join(dataDir, "coordinator"),
      host: textOf(values, "host"),
      port: numberOf(values, "port", 65_535),
    });
    const coordinator = await startCoordinator(config, systemClock, log);
    try {
      const agent = values["no-agent"]
        ? undefined
        : await startLocalAgent({
            words: [...words, "--data", join(dataDir, "agent")],
            joinToken: coordinator.joinToken,
            cacheDir: join(dataDir, "compiled"),
          });
      tellReady(coordinator, dataDir, values, output);
      await untilStopped();
      await agent?.stop();
      return 0;
    } finally {
      await coordinator.close();
    }
  },
};

const tellReady = (coordinator: Coordinator, dataDir: string, values: Values, output: Output): void => {
  const { baseUrl, dashboardUrl, firstCredentials: first, joinToken } = coordinator;
  const secrets = first && {
    oapi_key: first.oapiKey,
    oapi_secret: first.oapiSecret,
    auth_key: first.authKey,
    auth_secret: first.authSecret,
  };
  keepCredentials(process.env, dataDir, baseUrl, secrets);
  const none = { oapi_key: null, oapi_secret: null, auth_key: null, auth_secret: null };
  const places = { base_url: baseUrl, dashboard_url: dashboardUrl, pid: process.pid };
  if (output.isJson) output.json({ event: "ready", ...places, ...(secrets ?? none), join_token: joinToken });
  else output.text(readyText(coordinator, values));
};

const readyText = ({ baseUrl, firstCredentials: first, joinToken }: Coordinator, values: Values): string => {
  const roots = Array.isArray(values.root) || Array.isArray(values.mount);
  return [
    `Mediafarm is running on ${hostname()}.`,
    `  API         ${baseUrl}`,
    ...(first
      ? [
          "  These are shown once; this user's commands find them by themselves:",
          `  OAPI key    ${first.oapiKey}`,
          `  OAPI secret ${first.oapiSecret}`,
          `  auth_key    ${first.authKey}`,
          `  auth_secret ${first.authSecret}`,
        ]
      : []),
    `  Add a node  mediafarm agent --join ${joinToken}`,
    ...(roots ? [] : ["  No --root was given: jobs cannot read or write any folder of this machine yet."]),
    "Submit a job with: mediafarm submit FILE --wait       Stop with Ctrl-C.",
    "",
  ].join("\n");
};
