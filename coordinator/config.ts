import { z } from "zod";
import { AppError } from "../shared/basics/errors.ts";
import { secretOf } from "../shared/basics/secret.ts";
import { limitSettings } from "../shared/model/time-limits.ts";
import { traceSettings, traceSettingsIn } from "../shared/outbound/traces.ts";

const mib = 1024 * 1024;

/** The farm's timing. Milliseconds. */
const times = z.strictObject({
  heartbeatMs: z.number().positive().default(5000),
  /** A node silent for this long is shown as late … */
  lateMs: z.number().positive().default(10_000),
  /** … and for this long as lost: its work is given to others. */
  lostMs: z.number().positive().default(30_000),
  /** How long a task waits for a suitable node if no enrolled one is. */
  capabilityWaitMs: z.number().nonnegative().default(60_000),
  /** Jobs are begun while there are fewer ready tasks than this; further queued jobs cost no memory. */
  enoughReady: z.number().int().min(1).default(10_000),
  /** How long a task that fits nowhere waits before a node is reserved for it. */
  reserveAfterMs: z.number().nonnegative().default(180_000),
  /** How long to wait for a lost node's granted publication before the task runs again. */
  commitWaitMs: z.number().nonnegative().default(600_000),
  /** The maximum that a failure's cause adds to the delay of a retry. */
  longestBackOffMs: z.number().nonnegative().default(600_000),
  /** A running task whose progress stands still for this long is shown to people as stuck. */
  stuckMs: z.number().positive().default(600_000),
  /** How long a coordinator may lead without the store's word; only where the store admits several. */
  leaseMs: z.number().min(2000).default(5000),
  tickMs: z.number().positive().default(1000),
  tokenMs: z
    .number()
    .positive()
    .default(30 * 60_000),
});

/** What connections and callers may cost; docs/operating.md says when to change it. */
export const doorLimits = z.strictObject({
  /** The maximum number of connections of all kinds. */
  sockets: z.number().int().min(100).max(1_000_000).default(5000),
  /** The maximum number of strangers among them: the rest is room for nodes and for people and programs. */
  strangers: z.number().int().min(50).max(1_000_000).default(2000),
  /** Bytes of unfinished greetings that all strangers together may have sent. */
  heldBytes: z
    .number()
    .int()
    .min(4 * mib)
    .default(64 * mib),
  /** TLS handshakes a second, and how many may come at once after a quiet time. */
  handshakes: z.number().positive().max(100_000).default(100),
  handshakesAtOnce: z.number().int().min(1).max(100_000).default(200),
  /**
   * Small requests under way at a time, shared by all callers, and of a caller who is alone. One loop handles them: what another
   * caller has under way is what a request waits behind, and a few are enough for each batch to be written together.
   */
  sharedRequests: z.number().int().min(1).max(100_000).default(8),
  loneRequests: z.number().int().min(1).max(100_000).default(512),
  /** A caller's rest after heavy work, at most, in milliseconds, while others are at work; 0 for none. */
  restMs: z.number().min(0).max(10_000).default(500),
  /** Requests a second of all strangers together, while somebody who is known is at work, and as many at once after a pause. */
  strangerRequests: z.number().int().min(1).max(100_000).default(300),
  /** Event streams of one caller. */
  streams: z.number().int().min(1).max(100_000).default(100),
  /** Bytes of events that all listeners together have yet to read. */
  unreadBytes: z
    .number()
    .int()
    .min(4 * mib)
    .default(64 * mib),
});
export type DoorLimits = z.output<typeof doorLimits>;

/** The settings of a coordinator. */
export const coordinatorConfig = z.strictObject({
  dataDir: z.string().min(1),
  /** The address of a PostgreSQL database, `postgres://…`; default: SQLite in the data folder. */
  store: z.string().min(1).max(4000).optional(),
  /** The password for it. */
  storePassword: secretOf(z.string().min(1).max(1000)).optional(),
  /** The key that encrypts secrets in the store: 32 bytes in base64; default: the file secret.key in the data folder. */
  secretKey: secretOf(
    z.string().regex(/^[A-Za-z0-9+/]{43}=$/, "it must be 32 bytes in base64, such as `openssl rand -base64 32` prints"),
  ).optional(),
  host: z.string().default("127.0.0.1"),
  port: z.number().int().min(0).max(65_535).default(8700),
  /** Where the other coordinators of the farm, and their clients, find this one: `https://host:port`. */
  address: z
    .url({ protocol: /^https?$/ })
    .transform((text) => text.replace(/\/+$/, ""))
    .optional(),
  /** The addresses of all coordinators of the farm: join tokens name them, and this one is left out. */
  coordinators: z
    .array(z.url({ protocol: /^https?$/ }))
    .max(20)
    .default([]),
  /** Names under which pages are served, in addition to this machine's own. */
  hostNames: z.array(z.string().min(1).max(253)).max(100).default([]),
  /** Addresses or networks of trusted proxies: their X-Forwarded headers are used. */
  proxies: z
    .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))
    .max(100)
    .default([]),
  /** auto: TLS where other machines can reach the farm; see coordinator/tls/mode.ts. */
  tls: z.enum(["auto", "on", "off"]).default("auto"),
  /** Files with the administrator's own certificate and its key, PEM. */
  tlsCert: z.string().min(1).optional(),
  tlsKey: z.string().min(1).optional(),
  /** Replace the key of the farm's own authority at this start. */
  tlsNewKey: z.boolean().default(false),
  /** test: the same API with separate data, only for jobs of schema api_test. */
  entry: z.enum(["production", "test"]).default("production"),
  /** The key that opens /metrics to other machines. */
  metricsKey: secretOf(z.string().min(16).max(200)).optional(),
  /** The value of `{account_owner_email}` in notifications. */
  ownerEmail: z.email().max(320).optional(),
  /** The folder for the backups that the farm makes of itself; without it, it makes none. */
  backupDir: z.string().min(1).optional(),
  /** Where lines of the audit are passed on to: `udp://host:514`, `tcp://…`, `tls://…` or `unix:/path`. */
  syslog: z.string().min(1).max(300).optional(),
  /** Where traces of jobs are sent; without it, there are none. */
  traces: traceSettings.optional(),
  /** The folder of the built pages; default: the build's folder in a clone. */
  pagesDir: z.string().min(1).optional(),
  /** How long attempts may run, by element kind; defaults in shared/model/time-limits.ts. */
  timeLimits: limitSettings.default({}),
  doors: doorLimits.prefault({}),
  ...times.shape,
});
export type CoordinatorConfig = z.output<typeof coordinatorConfig>;

/** Settings that flags and callers may override; the rest comes from the environment and from defaults. */
export type CoordinatorChoices = Omit<z.input<typeof coordinatorConfig>, keyof z.input<typeof times>>;

/** What connections and callers may cost: JSON such as `{"sockets":20000}`. */
const doorsName = "MEDIAFARM_DOORS";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that changes the farm's timing: JSON such as `{"heartbeatMs":500}`. For tests and slow networks. */
const timing = "MEDIAFARM_TIMING";
/** How long attempts may run: JSON such as `{"transcode":{"hardMinutes":600,"stallMinutes":20}}`, `*` for all kinds. */
const timeLimitsName = "MEDIAFARM_LIMITS";

/** Throws AppError naming every invalid setting and where it comes from. */
export const readConfig = (choices: CoordinatorChoices, env: Environment): CoordinatorConfig => {
  const chosen = parseAs(times, readJson(env, timing, '{"heartbeatMs":5000}'), timing);
  const timeLimits = parseAs(
    limitSettings,
    readJson(env, timeLimitsName, '{"transcode":{"hardMinutes":600}}'),
    timeLimitsName,
  );
  const doors = parseAs(doorLimits, readJson(env, doorsName, '{"sockets":20000}'), doorsName);
  const settings = {
    ...{ timeLimits, doors },
    backupDir: env.MEDIAFARM_BACKUPS || undefined,
    syslog: env.MEDIAFARM_SYSLOG || undefined,
    traces: traceSettingsIn(env),
    metricsKey: env.MEDIAFARM_METRICS_KEY || undefined,
    secretKey: env.MEDIAFARM_SECRET_KEY || undefined,
    store: env.MEDIAFARM_STORE || undefined,
    address: env.MEDIAFARM_ADDRESS || undefined,
    storePassword: env.PGPASSWORD || undefined,
    ownerEmail: env.MEDIAFARM_OWNER_EMAIL || undefined,
    hostNames: listOf(env.MEDIAFARM_HOST_NAMES),
    proxies: listOf(env.MEDIAFARM_PROXIES),
    coordinators: listOf(env.MEDIAFARM_COORDINATORS),
    ...certificateIn(choices, env),
    ...choices,
    ...chosen,
  };
  return parseAs(coordinatorConfig, settings, "The coordinator's settings");
};

/** Variables name the files unless flags say something else about TLS. */
const certificateIn = ({ tls }: CoordinatorChoices, env: Environment) =>
  tls === undefined || tls === "auto"
    ? { tlsCert: env.MEDIAFARM_TLS_CERT || undefined, tlsKey: env.MEDIAFARM_TLS_KEY || undefined }
    : {};

/** Words separated by commas; empty if there are none. */
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
