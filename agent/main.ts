import { parseArgs } from "node:util";
import { AppError, messageOf } from "../shared/basics/errors.ts";
import { systemClock } from "../shared/basics/system-clock.ts";
import { tagsIn } from "../shared/basics/tags.ts";
import { mount, splitMount } from "../shared/files/mounts.ts";
import { startAgent } from "./agent.ts";
import { type AgentChoices, isSupervised, readConfig, readLogLevel } from "./config.ts";
import { lendingFrom, lendingOptions } from "./lending/flags.ts";
import { createLog } from "./log.ts";

/** The environment of the program; tests replace it. */
export type AgentIo = {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Aborted when the agent must end. */
  readonly stop: AbortSignal;
};

export const agentUsage = `Usage: agent --join TOKEN [--data DIR] [--name NAME] [--tags a,b] [--slots N]
             [--root DIR]... [--mount PREFIX=DIR]... [--allow-outbound RULE]...
             [--smtp-url URL] [--mail-from ADDRESS] [--containers] [--lend always|idle|hours=...|never]
             [--on-return suspend|finish|requeue] [--idle-after MIN] [--hold MIN] [--min-disk SIZE]
             [--not-on-battery] [--json]`;

/** Runs an agent until it is told to end or refused. Returns the exit code: 0 ended, 1 failed, 2 wrong usage. */
export const runAgent = async (argv: readonly string[], io: AgentIo): Promise<number> => {
  const flags = readFlags(argv);
  if (typeof flags === "string") {
    io.stderr(`${flags}\n${agentUsage}\n`);
    return 2;
  }
  try {
    await live(flags, io);
    return 0;
  } catch (error) {
    io.stderr(`${error instanceof AppError ? error.message : `Internal error: ${messageOf(error)}`}\n`);
    return 1;
  }
};

type Flags = { readonly json: boolean; readonly choices: AgentChoices };

const live = async ({ json, choices }: Flags, io: AgentIo): Promise<void> => {
  const log = createLog({ level: readLogLevel(), clock: systemClock, write: io.stderr }).child({ part: "agent" });
  const agent = await startAgent({
    config: readConfig(choices),
    clock: systemClock,
    log,
    pid: process.pid,
    random: Math.random,
    onConnected: ({ nodeId }) => {
      if (json) io.stdout(`${JSON.stringify({ event: "connected", node_id: nodeId })}\n`);
    },
  });
  const stop = (): void => void agent.stop();
  io.stop.addEventListener("abort", stop, { once: true });
  if (io.stop.aborted) stop();
  try {
    await agent.ended;
  } finally {
    await agent.stop();
  }
};

/** The flags, or what is wrong with them. */
const readFlags = (argv: readonly string[]): Flags | string => {
  try {
    const { values } = parseArgs({ args: [...argv], options, strict: true });
    const { json = false, join, data, name, tags, slots, root, mount: mounts } = values;
    const smtpUrl = values["smtp-url"];
    if (smtpUrl !== undefined) refusePassword(smtpUrl);
    const choices = {
      joinToken: join,
      dataDir: data,
      name,
      tags: tags === undefined ? undefined : tagsIn(tags),
      slots: slots === undefined ? undefined : wholeNumber(slots),
      roots: root,
      mounts: mounts?.map(readMount),
      allowOutbound: values["allow-outbound"]?.flatMap((text) => text.split(",").map((rule) => rule.trim())),
      smtpUrl,
      mailFrom: values["mail-from"],
      containers: values.containers,
      lending: lendingFrom(values),
    };
    return { json, choices };
  } catch (error) {
    return messageOf(error);
  }
};

const options = {
  join: { type: "string" },
  data: { type: "string" },
  name: { type: "string" },
  tags: { type: "string" },
  slots: { type: "string" },
  root: { type: "string", multiple: true },
  mount: { type: "string", multiple: true },
  "allow-outbound": { type: "string", multiple: true },
  "smtp-url": { type: "string" },
  "mail-from": { type: "string" },
  containers: { type: "boolean" },
  json: { type: "boolean" },
  ...lendingOptions,
} as const;

const wholeNumber = (text: string): number => {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new AppError("VALIDATION_FAILED", `--slots must be a whole number, not "${text}"`);
};

/** Anyone who lists this machine's processes sees their arguments. */
const refusePassword = (url: string): void => {
  if (!/^[a-z]+:\/\/[^/@]*:[^/@]*@/i.test(url)) return;
  throw new AppError(
    "VALIDATION_FAILED",
    "--smtp-url must hold no password: put such an address into MEDIAFARM_SMTP_URL",
  );
};

const readMount = (text: string) => {
  const parsed = mount.safeParse(splitMount(text));
  if (parsed.success) return parsed.data;
  throw new AppError("VALIDATION_FAILED", `--mount must be PREFIX=DIR, not "${text}"`);
};

/** An agent as a whole process: signals end it, and so does its parent's death if it is supervised. */
export const runAgentProcess = async (argv: readonly string[]): Promise<number> => {
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, () => stop.abort());
  if (isSupervised())
    process.stdin
      .on("end", () => stop.abort())
      .on("error", () => stop.abort())
      .resume();
  const status = await runAgent(argv, {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    stop: stop.signal,
  });
  process.stdin.destroy(); // an open stdin would keep a finished process alive
  return status;
};

if (import.meta.main) process.exitCode = await runAgentProcess(process.argv.slice(2));
