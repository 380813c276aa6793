import { z } from "zod";
import { AppError } from "../shared/errors.ts";
import { limitSettings } from "../shared/time-limits.ts";

/** The farm's times. Milliseconds. */
const times = z.strictObject({
  heartbeatMs: z.number().positive().default(5000),
  /** A node silent for this long is shown as late … */
  lateMs: z.number().positive().default(10_000),
  /** … and for this long as lost: its work is given away. */
  lostMs: z.number().positive().default(30_000),
  /** How long a task waits for a node that can do it, where no enrolled one can. */
  capabilityWaitMs: z.number().nonnegative().default(60_000),
  /** With fewer ready tasks than this, jobs are begun: queued ones beyond it cost no memory. */
  enoughReady: z.number().int().min(1).default(10_000),
  /** How long a task waits that is too big for what is free anywhere, before a node is kept free for it. */
  reserveAfterMs: z.number().nonnegative().default(180_000),
  /** How long a granted publication of a lost node is waited for before the task runs anew. */
  commitWaitMs: z.number().nonnegative().default(600_000),
  tickMs: z.number().positive().default(1000),
  tokenMs: z
    .number()
    .positive()
    .default(30 * 60_000),
});

/** How a coordinator runs. */
export const coordinatorConfig = z.strictObject({
  dataDir: z.string().min(1),
  host: z.string().default("127.0.0.1"),
  port: z.number().int().min(0).max(65_535).default(8700),
  /** Names by which pages may be asked for, beside this machine's own. */
  hostNames: z.array(z.string().min(1).max(253)).max(100).default([]),
  /** Addresses or networks of proxies: what they say of who asks, by which name and protocol, counts. */
  proxies: z
    .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))
    .max(100)
    .default([]),
  /** test: the same API with data of its own, for jobs of schema api_test alone. */
  entry: z.enum(["production", "test"]).default("production"),
  /** Opens /metrics to other machines. */
  metricsKey: z.string().min(16).max(200).optional(),
  /** What `{account_owner_email}` stands for in notifications. */
  ownerEmail: z.email().max(320).optional(),
  /** Where the built pages lie; absent: where the build leaves them in a clone. */
  pagesDir: z.string().min(1).optional(),
  /** How long attempts may run, by the kind of their element; defaults in shared/time-limits.ts. */
  timeLimits: limitSettings.default({}),
  ...times.shape,
});
export type CoordinatorConfig = z.output<typeof coordinatorConfig>;

/** What flags and callers may give; the rest comes from the environment and from defaults. */
export type CoordinatorChoices = Omit<z.input<typeof coordinatorConfig>, keyof z.input<typeof times>>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that changes the farm's times: JSON such as `{"heartbeatMs":500}`. Made for tests and for slow networks. */
const timing = "MEDIAFARM_TIMING";
/** How long attempts may run: JSON such as `{"transcode":{"hardMinutes":600,"stallMinutes":20}}`, `*` for all kinds. */
const timeLimitsName = "MEDIAFARM_LIMITS";

/** Throws AppError with every setting that cannot be used and where it comes from. */
export const readConfig = (choices: CoordinatorChoices, env: Environment): CoordinatorConfig => {
  const chosen = parseAs(times, readJson(env, timing, '{"heartbeatMs":5000}'), timing);
  const timeLimits = parseAs(
    limitSettings,
    readJson(env, timeLimitsName, '{"transcode":{"hardMinutes":600}}'),
    timeLimitsName,
  );
  const settings = {
    timeLimits,
    metricsKey: env.MEDIAFARM_METRICS_KEY || undefined,
    ownerEmail: env.MEDIAFARM_OWNER_EMAIL || undefined,
    hostNames: listOf(env.MEDIAFARM_HOST_NAMES),
    proxies: listOf(env.MEDIAFARM_PROXIES),
    ...choices,
    ...chosen,
  };
  return parseAs(coordinatorConfig, settings, "The coordinator's settings");
};

/** Words between commas; nothing where there are none. */
const listOf = (text: string | undefined): string[] | undefined =>
  text
    ?.split(",")
    .map((word) => word.trim())
    .filter(Boolean);

const readJson = (env: Environment, name: string, example: string): unknown => {
  const text = env[name] || "{}";
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("VALIDATION_FAILED", `${name} is not JSON such as ${example}: ${text.slice(0, 200)}`, {
      cause,
    });
  }
};

const parseAs = <S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const words = details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
  throw new AppError("VALIDATION_FAILED", `${what} cannot be used: ${words}`, { details });
};
