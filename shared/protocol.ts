import { z } from "zod";
import { failure } from "./causes.ts";
import { timeLimits } from "./time-limits.ts";
import { intent, published, seenState, work } from "./work.ts";

/**
 * What coordinator and agents say to each other over the WebSocket: JSON, one message a frame, strict on both sides.
 * Protocol N serves N-1; an older agent is told to drain.
 */
export const protocolVersion = 1;

/** The door's limits in bytes: before a node is known, and after. */
export const maxHelloBytes = 1024 * 1024;
export const maxMessageBytes = 16 * 1024 * 1024;
/** Of a running attempt's log in one message. */
export const maxLogCharacters = 64_000;

/** An attempt's number in the farm's life. Higher epoch, or the same and a higher counter, is newer. */
export const fence = z.strictObject({ epoch: z.number().int(), counter: z.number().int() });
export type Fence = z.output<typeof fence>;

export const fenceKey = ({ epoch, counter }: Fence): string => `${epoch}.${counter}`;

const shortText = z.string().min(1).max(200);

export const mount = z.strictObject({ prefix: z.string().min(1).max(2000), folder: z.string().min(1).max(4000) });
export type Mount = z.output<typeof mount>;

/** An absolute path of one flavour. The whole disk of a POSIX node is no mount: it would open every file to every job. */
const posixFolder = z
  .string()
  .max(4000)
  .regex(/^\/+[^/\0][^\0]*$/, "must be an absolute path such as /mnt/bucket, not / itself");
const windowsFolder = z
  .string()
  .max(4000)
  .regex(
    /^([a-z]:[\\/]|\\\\[^\\/]+\\[^\\/]+)[^\0]*$/i,
    "must be an absolute path such as Z:\\bucket or \\\\server\\share",
  );

/** A mount of the whole farm: each node takes the folder of its own kind of paths. */
export const farmMount = z.strictObject({
  prefix: z
    .string()
    .max(2000)
    .regex(/^[a-z][a-z0-9+.-]+:\/\//i, "must begin with a scheme, such as s3://bucket"),
  folders: z
    .strictObject({ posix: posixFolder.optional(), win32: windowsFolder.optional() })
    .refine(({ posix, win32 }) => posix !== undefined || win32 !== undefined, "must name a posix or a win32 folder"),
});
export type FarmMount = z.output<typeof farmMount>;
export const farmMounts = z.array(farmMount).max(1000);

/** What a node's tools can do, measured by asking them. */
export const tools = z.strictObject({
  ffmpeg: z.strictObject({ path: z.string(), version: z.string(), build: z.string() }).nullable(),
  ffprobe: z.strictObject({ path: z.string(), version: z.string(), build: z.string() }).nullable(),
  /** `encoder:libx264`, `filter:scale`, `muxer:mp4`, `ffmpeg`, `ffprobe`. */
  capabilities: z.array(z.string().max(200)).max(20_000),
});
export type Tools = z.output<typeof tools>;

export const credentials = z.union([
  z.strictObject({ joinToken: z.string().max(4000) }),
  z.strictObject({ nodeId: z.number().int(), nodeKey: z.string().max(200) }),
]);

/** What an agent says of an attempt it still holds. */
export const attemptStatus = z.strictObject({
  fence,
  taskId: z.number().int(),
  state: z.enum(["running", "verified", "reported"]),
});
export type AttemptStatus = z.output<typeof attemptStatus>;

export const hello = z.strictObject({
  type: z.literal("hello"),
  protocol: z.number().int(),
  /** Of this run of the agent: tells it from another with the same identity. */
  instance: z.string().max(100).optional(),
  credentials,
  name: shortText,
  platform: z.enum(["posix", "win32"]),
  tags: z.array(z.string().min(1).max(100)).max(200),
  slots: z.number().int().min(0).max(1024),
  roots: z.array(z.string().max(4000)).max(200),
  mounts: z.array(mount).max(200),
  tools,
  /** CPU model, cores, memory and free scratch space in bytes, GPUs: what tasks demand is counted against it. */
  machine: z.strictObject({
    cpu: z.string().max(200),
    cores: z.number(),
    memory: z.number(),
    disk: z.number().nonnegative().optional(),
    gpus: z.number().int().nonnegative().optional(),
    os: z.string().max(200),
  }),
  attempts: z.array(attemptStatus).max(10_000),
});
export type Hello = z.output<typeof hello>;

export const progress = z.strictObject({
  /** 0..100; absent while unknown. */
  percent: z.number().min(0).max(100).optional(),
  fps: z.number().nonnegative().optional(),
  /** Times real time. */
  speed: z.number().nonnegative().optional(),
  frame: z.number().nonnegative().optional(),
  /** Seconds of output made. */
  position: z.number().optional(),
});
export type Progress = z.output<typeof progress>;

/** How long and how much an attempt took on its node. */
export const attemptStats = z.strictObject({
  wallMs: z.number().nonnegative(),
  cpuMs: z.number().nonnegative().optional(),
  peakMemory: z.number().nonnegative().optional(),
});
export type AttemptStats = z.output<typeof attemptStats>;

export const outcome = z.discriminatedUnion("outcome", [
  z.strictObject({ outcome: z.literal("published"), published }),
  z.strictObject({ outcome: z.literal("failed"), failure }),
]);
export type Outcome = z.output<typeof outcome>;

export const report = z.strictObject({
  fence,
  taskId: z.number().int(),
  outcome,
  stats: attemptStats,
  /** The end of the attempt's log. */
  log: z.string().max(300_000),
});
export type Report = z.output<typeof report>;

const agentMessages = [
  hello,
  z.strictObject({ type: z.literal("heartbeat") }),
  z.strictObject({ type: z.literal("started"), fence }),
  z.strictObject({ type: z.literal("progress"), fence, progress }),
  z.strictObject({ type: z.literal("commit"), fence, intent }),
  z.strictObject({ type: z.literal("report"), report }),
  /** The answer to `inspect`. */
  z.strictObject({ type: z.literal("inspected"), fence, seen: seenState }),
  /** Of the log of an attempt, since somebody looks: what was written from there on, `left` characters left out before. */
  z.strictObject({
    type: z.literal("log"),
    fence,
    from: z.number().int().nonnegative(),
    left: z.number().int().nonnegative(),
    text: z.string().max(maxLogCharacters),
  }),
  /** The agent is going; it will not take more. */
  z.strictObject({ type: z.literal("goodbye") }),
] as const;
export const agentMessage = z.discriminatedUnion("type", agentMessages);
export type AgentMessage = z.output<typeof agentMessage>;

export const assignment = z.strictObject({
  fence,
  taskId: z.number().int(),
  name: z.string(),
  work,
  /** The grant of an earlier attempt that may have been carried out in part: rolled forward before anything is made anew. */
  previousIntent: intent.nullable(),
  /** Absent: it may take as long as it takes. */
  limits: timeLimits.optional(),
});
export type Assignment = z.output<typeof assignment>;

const coordinatorMessages = [
  z.strictObject({
    type: z.literal("welcome"),
    protocol: z.number().int(),
    epoch: z.number().int(),
    nodeId: z.number().int(),
    /** Only where the node enrolled just now; it is never said again. */
    nodeKey: z.string().optional(),
    heartbeatMs: z.number().positive(),
    /** Of the attempts in `hello`: these go on, all others are dropped. */
    keep: z.array(fence),
    /** The farm's; absent: those that the agent knows stay. */
    mounts: farmMounts.optional(),
  }),
  z.strictObject({
    type: z.literal("refused"),
    message: z.string(),
    retry: z.boolean(),
    /** twin: another agent has this identity just now · revoked: nothing opens this farm to it any more. */
    reason: z.enum(["twin", "revoked"]).optional(),
  }),
  z.strictObject({ type: z.literal("assign"), epoch: z.number().int(), assignment }),
  z.strictObject({ type: z.literal("granted"), epoch: z.number().int(), fence }),
  /** The fence is old: end the attempt, show nothing of it. */
  z.strictObject({ type: z.literal("stale"), epoch: z.number().int(), fence, why: z.string() }),
  z.strictObject({ type: z.literal("cancel"), epoch: z.number().int(), fence, why: z.string() }),
  /** A node was granted this and is lost: does this one see the files? */
  z.strictObject({ type: z.literal("inspect"), epoch: z.number().int(), fence, intent }),
  /** Somebody looks at the attempt's log: it is to be told from there on, for so long. */
  z.strictObject({
    type: z.literal("tail"),
    epoch: z.number().int(),
    fence,
    from: z.number().int().nonnegative(),
    forMs: z.number().positive(),
  }),
  /** The farm's mounts have changed; these are all of them. */
  z.strictObject({ type: z.literal("mounts"), epoch: z.number().int(), mounts: farmMounts }),
  /** The report is stored; the agent may forget it. */
  z.strictObject({ type: z.literal("stored"), epoch: z.number().int(), fence }),
] as const;
export const coordinatorMessage = z.discriminatedUnion("type", coordinatorMessages);
export type CoordinatorMessage = z.output<typeof coordinatorMessage>;
