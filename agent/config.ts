import { availableParallelism, homedir, hostname } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { defined } from "../shared/basics/defined.ts";
import { AppError } from "../shared/basics/errors.ts";
import { type LogLevel, logLevelFrom } from "../shared/basics/log-level.ts";
import { secretOf } from "../shared/basics/secret.ts";
import { wordsIn } from "../shared/basics/words.ts";
import { mount } from "../shared/files/mounts.ts";
import { headlessRules, lendingAction, lendingRules } from "../shared/lending/lending.ts";
import { parseMailServer } from "../shared/outbound/mail-server.ts";
import { maxOutboundRules, parseRule, ruleForms } from "../shared/outbound/rules.ts";

/** Seconds that a server is tried again by default: one that restarts is back by then. */
export const defaultPatienceSec = 30;

/** Relative folders refer to the directory in which the agent was started. */
const folder = z
  .string()
  .min(1)
  .max(4000)
  .transform((path) => resolve(path));

/** All settings of an agent. The farm's address is in the join token, and is stored after joining. */
export const agentConfig = z.strictObject({
  dataDir: folder,
  name: z.string().min(1).max(200),
  tags: z.array(z.string().min(1).max(100)).max(200),
  slots: z.number().int().min(0).max(1024),
  /** Folders that jobs may read and write. */
  roots: z.array(folder).max(200),
  mounts: z.array(mount.extend({ folder })).max(200),
  /** What jobs may reach over the network, see shared/outbound/rules.ts; absent: all public addresses. */
  allowOutbound: z
    .array(z.string().refine((text) => parseRule(text) !== undefined, `must be ${ruleForms}`))
    .max(maxOutboundRules)
    .optional(),
  /** `smtp://user:password@host:587` or `smtps://…`; absent: this node sends no mail. */
  smtpUrl: secretOf(
    z
      .string()
      .refine((text) => parseMailServer(text) !== undefined, "must be smtp://user:password@host:587 or smtps://…"),
  ).optional(),
  /** Whether jobs may run containers here, if an engine works. */
  containers: z.boolean().default(false),
  mailFrom: z.string().min(3).max(320).optional(),
  /** Mediafarm's own folders on this machine, with keys and data: jobs may never access them. */
  ownDirs: z.array(folder).max(20),
  /** Disk space for copies of remote files. */
  cacheBytes: z.number().int().nonnegative(),
  /** How long a server that does not answer is tried again. */
  storagePatienceSec: z.number().min(0).max(86_400),
  joinToken: secretOf(z.string().max(4000)).optional(),
  ffmpegPath: z.string().optional(),
  ffprobePath: z.string().optional(),
  /** The resources folder of a packaged app, with its own ffmpeg. */
  resourcesDir: z.string().optional(),
  /** Folders to search for programs. */
  searchPath: z.array(z.string()),
  /** When this computer lends itself, and the last button its owner pressed. */
  lending: lendingRules,
  press: lendingAction.optional(),
  /** Environment variables that programs need to query the screen. */
  display: z.record(z.string(), z.string()),
  /** The whole environment of the programs that the agent starts. */
  childEnv: z.record(z.string(), z.string()),
});
export type AgentConfig = z.output<typeof agentConfig>;

/** Settings that flags and callers may override. The rest comes from the environment and defaults. */
export type AgentChoices = Partial<Omit<z.input<typeof agentConfig>, "searchPath" | "childEnv" | "display">>;

export type Environment = Readonly<Record<string, string | undefined>>;

export const readConfig = (choices: AgentChoices, env: Environment = process.env): AgentConfig => {
  const chosen = { ...defaults(env), ...defined(choices) };
  const parsed = agentConfig.safeParse({ ...chosen, ownDirs: choices.ownDirs ?? ownDirsOf(chosen.dataDir, env) });
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const words = details.map(({ path, message }) => `${path}: ${message}`).join("; ");
  throw new AppError("VALIDATION_FAILED", `Invalid agent settings: ${words}`, { details });
};

/** Started by another program of the farm: the agent exits when that program closes its stdin, for example by dying. */
export const isSupervised = (): boolean => process.env.MEDIAFARM_SUPERVISED === "1";

/** The log level: `MEDIAFARM_LOG`, or the default for operators. */
export const readLogLevel = (env: Environment = process.env): LogLevel => logLevelFrom(env, "info");

const defaults = (env: Environment) => ({
  dataDir: defaultDataDir(env),
  name: hostname().slice(0, 200) || "agent",
  tags: [],
  slots: defaultSlots(availableParallelism()),
  roots: [],
  mounts: [],
  cacheBytes: cacheBytesOf(env),
  storagePatienceSec: secondsOf(env.MEDIAFARM_STORAGE_PATIENCE_SEC) ?? defaultPatienceSec,
  joinToken: env.MEDIAFARM_JOIN_TOKEN || undefined,
  allowOutbound: env.MEDIAFARM_ALLOW_OUTBOUND?.split(",").map((text) => text.trim()),
  smtpUrl: env.MEDIAFARM_SMTP_URL || undefined,
  containers: env.MEDIAFARM_CONTAINERS === "1",
  mailFrom: env.MEDIAFARM_MAIL_FROM || undefined,
  ffmpegPath: env.FFMPEG_PATH || undefined,
  ffprobePath: env.FFPROBE_PATH || undefined,
  searchPath: (env.PATH ?? env.Path ?? "").split(delimiter).filter(Boolean),
  lending: headlessRules,
  display: chosen(env, ["DISPLAY", "XAUTHORITY"]),
  childEnv: childEnvironment(env),
});

/** An encoder keeps two to four cores busy and then stops scaling, so one task per two cores uses a machine best. */
const defaultSlots = (cores: number): number => Math.max(1, Math.floor(cores / 2));

/** This agent's data, the data of a coordinator started beside it by `up`, and the folder of credentials. */
const ownDirsOf = (dataDir: string, env: Environment): string[] => [
  ...[dataDir, join(dirname(dataDir), "coordinator")],
  join(env.XDG_CONFIG_HOME || env.APPDATA || join(homedir(), ".config"), "mediafarm"),
];

const secondsOf = (text = ""): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined);

/** `MEDIAFARM_CACHE_GB`, or room for a few long films. */
const cacheBytesOf = ({ MEDIAFARM_CACHE_GB: text = "" }: Environment): number =>
  (/^\d+(\.\d+)?$/.test(text) ? Number(text) : 100) * 1e9;

const defaultDataDir = (env: Environment): string => {
  const home = homedir();
  if (process.platform === "win32")
    return join(env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "mediafarm", "agent");
  if (process.platform === "darwin") return join(home, "Library", "Application Support", "mediafarm", "agent");
  return join(env.XDG_DATA_HOME || join(home, ".local", "share"), "mediafarm", "agent");
};

/**
 * Programs get the variables they need to run and to find the graphics card, but no secrets of the farm or the user.
 */
const passedOn = wordsIn(`
  PATH Path HOME TMPDIR TEMP TMP SystemRoot XDG_RUNTIME_DIR LIBVA_DRIVER_NAME LIBVA_DRIVERS_PATH
  CUDA_VISIBLE_DEVICES
`);

const childEnvironment = (env: Environment): Record<string, string> => ({
  ...chosen(env, passedOn),
  LANG: "C",
  LC_ALL: "C",
});

const chosen = (env: Environment, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
