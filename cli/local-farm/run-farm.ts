import { homedir, hostname } from "node:os";
import { join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { createAsk } from "../../agent/outbound/ask.ts";
import { createDeliver } from "../../agent/outbound/deliver.ts";
import { readConfig } from "../../coordinator/config.ts";
import { type Coordinator, startCoordinator } from "../../coordinator/coordinator.ts";
import { logLevelOf, openLog } from "../../coordinator/log.ts";
import { messageOf } from "../../shared/basics/errors.ts";
import type { Call } from "../command/command.ts";
import { keepCredentials, type Secrets } from "../farms/credentials.ts";
import { numberFlag, textFlag, textsFlag, UsageError, type Values } from "../terminal/flags.ts";
import { agentArguments, requireGivenPrograms } from "./agent-flags.ts";
import { type LocalAgent, startLocalAgent } from "./local-agent.ts";
import { untilStopped } from "./signals.ts";

/**
 * The collector may let the heap grow to twice what was in use at its last look. Without this, up to four times: what one
 * caller's worst took would be kept for good.
 */
const boundedGarbage = "--heap-growing-percent=100";

/**
 * `up`: runs a coordinator and, by default, an agent until they are stopped. A coordinator that gave the lead away stands by
 * and may lead again; its agent goes on meanwhile. One that took over leads on where its agent cannot start: others rely on it.
 */
export const runFarm = async ({ values, output, world }: Call): Promise<number> => {
  world.outliveReader();
  setFlagsFromString(boundedGarbage);
  const entry = entryOf(values);
  const chosen = resolve(textFlag(values, "data") ?? join(homedir(), ".mediafarm"));
  // A separate folder: the test entry point never shares jobs or credentials with the farm.
  const dataDir = entry === "test" ? join(chosen, "test") : chosen;
  const words = agentArguments(values);
  if (!values["no-agent"]) requireGivenPrograms(world.env);
  const log = openLog(logLevelOf(world.env));
  const stopped = untilStopped();
  const ending = new AbortController();
  void stopped.then(() => ending.abort());
  let agent: LocalAgent | undefined;
  let choices = choicesOf(values, entry, dataDir);
  let stoodBy = false;
  const startAgent = (joinToken: string): Promise<LocalAgent | undefined> =>
    startLocalAgent({
      ...{ words: [...words, "--data", join(dataDir, "agent")], joinToken },
      cacheDir: join(dataDir, "compiled"),
    }).catch((problem) => {
      if (!stoodBy) throw problem;
      output.problem(`Warning: this coordinator leads without an agent of its own. ${messageOf(problem)}`);
      return undefined;
    });
  try {
    for (let gaveAt: number | undefined; ; gaveAt = world.clock.monotonic()) {
      const given = Promise.withResolvers<"given">();
      const coordinator = await startCoordinator(readConfig(choices, world.env), {
        ...world,
        log,
        gaveAt,
        deliver: createDeliver(world.clock),
        ask: createAsk(world.clock),
        fenced: () => process.exit(1),
        handOver: () => given.resolve("given"),
        ending: ending.signal,
        onStandby: (address) => {
          stoodBy = true;
          tellStandby(address, output);
        },
      }).catch((problem) => {
        if (ending.signal.aborted) return undefined;
        throw problem;
      });
      if (!coordinator) return 0;
      choices = { ...choices, port: coordinator.port }; // a free one that was found stays the same
      const stopServing = await serveAround(coordinator, choices.host, log);
      try {
        if (!values["no-agent"]) agent ??= await startAgent(coordinator.joinToken);
        tellReady(coordinator, dataDir, { values, output, world });
        if ((await Promise.race([stopped, given.promise])) === "given") continue;
        await agent?.stop();
        return 0;
      } finally {
        await stopServing();
        await coordinator.close();
      }
    }
  } finally {
    await agent?.stop();
  }
};

/** What goes on beside a coordinator that leads: its certificate is read again on SIGHUP, and the network knows of it. */
const serveAround = async (
  coordinator: Coordinator,
  host: string | undefined,
  log: Parameters<typeof announce>[2],
): Promise<() => Promise<void>> => {
  const lookAgain = () => void coordinator.readFilesAgain?.();
  if (coordinator.readFilesAgain) process.on("SIGHUP", lookAgain);
  const silence = await announce(host, coordinator, log);
  return async () => {
    process.off("SIGHUP", lookAgain);
    await silence();
  };
};

const tellStandby = (address: string, output: Call["output"]): void => {
  if (output.isJson) output.json({ event: "standby", address, pid: process.pid });
  else output.text(`Another coordinator leads this farm. This one stands by at ${address}.\n`);
};

/** What the flags say about the coordinator. */
const choicesOf = (values: Values, entry: ReturnType<typeof entryOf>, dataDir: string) => ({
  dataDir: join(dataDir, "coordinator"),
  host: textFlag(values, "host"),
  port: numberFlag(values, "port", 65_535) ?? (entry === "test" ? testPort : undefined),
  entry,
  ...(values.address !== undefined && { address: textFlag(values, "address") }),
  ...(values.coordinator !== undefined && { coordinators: textsFlag(values, "coordinator") }),
  ...(values.store !== undefined && { store: textFlag(values, "store") }),
  ...(values["host-name"] !== undefined && { hostNames: textsFlag(values, "host-name") }),
  ...(values.proxy !== undefined && { proxies: textsFlag(values, "proxy") }),
  ...tlsChoices(values),
  ...(values.backups !== undefined && { backupDir: resolve(textFlag(values, "backups") ?? "") }),
  ...(values["owner-email"] !== undefined && { ownerEmail: textFlag(values, "owner-email") }),
});

const tlsChoices = (values: Values) => {
  if (values.tls && values["no-tls"]) throw new UsageError("--tls and --no-tls exclude each other");
  const [tlsCert, tlsKey] = [textFlag(values, "tls-cert"), textFlag(values, "tls-key")];
  return {
    ...((values.tls || values["no-tls"]) && { tls: values.tls ? ("on" as const) : ("off" as const) }),
    ...(tlsCert !== undefined && { tlsCert }),
    ...(tlsKey !== undefined && { tlsKey }),
    ...(values["tls-new-key"] && { tlsNewKey: true }),
  };
};

/** If other machines can reach the farm, it announces itself to the apps on its network. */
const announce = async (
  host: string | undefined,
  { baseUrl }: Coordinator,
  log: { warn: (facts: object, words: string) => void },
): Promise<() => Promise<void>> => {
  const { announceFarm, isWorthAnnouncing } = await import("../../coordinator/announce-farm.ts");
  if (host === undefined || !isWorthAnnouncing(host)) return async () => {};
  const onProblem = (problem: unknown) =>
    log.warn({ err: problem }, "the farm cannot make itself known in its network");
  return announceFarm({ name: hostname(), port: Number(new URL(baseUrl).port), onProblem });
};

/** Lets both entry points run on one machine. */
const testPort = 8701;

const entryOf = (values: Values): "production" | "test" => {
  const entry = textFlag(values, "entry") ?? "production";
  if (entry === "production" || entry === "test") return entry;
  throw new UsageError(`--entry takes production or test, not "${entry}"`);
};

type RunFarmNeeds = Pick<Call, "values" | "output" | "world">;

const tellReady = (coordinator: Coordinator, dataDir: string, { values, output, world }: RunFarmNeeds): void => {
  const { baseUrl, dashboardUrl, firstSignInUrl, firstCredentials: first, joinToken } = coordinator;
  const secrets = first && {
    oapi_key: first.oapiKey,
    oapi_secret: first.oapiSecret,
    auth_key: first.authKey,
    auth_secret: first.authSecret,
  };
  keep(dataDir, coordinator, secrets, { output, world });
  const none = { oapi_key: null, oapi_secret: null, auth_key: null, auth_secret: null };
  const places = {
    base_url: baseUrl,
    dashboard_url: dashboardUrl,
    first_sign_in_url: firstSignInUrl,
    pid: process.pid,
  };
  if (output.isJson) output.json({ event: "ready", ...places, ...(secrets ?? none), join_token: joinToken });
  else output.text(readyText(coordinator, values));
};

/** The farm runs without the file, so a failed write is only a warning. */
const keep = (
  dataDir: string,
  { baseUrl, authority }: Coordinator,
  secrets: Secrets | null,
  { output, world }: Pick<RunFarmNeeds, "output" | "world">,
): void => {
  try {
    keepCredentials(world.env, dataDir, baseUrl, secrets, authority);
  } catch (problem) {
    output.problem(
      `Warning: could not save the farm's credentials for this user's commands (${messageOf(problem)}). The farm runs; give commands MEDIAFARM_URL=${baseUrl} and the MEDIAFARM_OAPI_… and MEDIAFARM_AUTH_… variables.`,
    );
  }
};

const readyText = (coordinator: Coordinator, values: Values): string => {
  const { baseUrl, dashboardUrl, firstSignInUrl, firstCredentials: first, joinToken } = coordinator;
  const roots = Array.isArray(values.root) || Array.isArray(values.mount);
  return [
    `Mediafarm is running on ${hostname()}.`,
    `  API         ${baseUrl}`,
    `  Dashboard   ${dashboardUrl}`,
    ...(firstSignInUrl ? [`  Nobody can sign in yet. Create the owner with this link, once: ${firstSignInUrl}`] : []),
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
