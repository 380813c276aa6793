import { z } from "zod";
import { addressText, amount, foreignText, keyText, measured } from "../basics/bounds.ts";
import { secrets } from "../credentials/credentials.ts";
import { pins } from "../credentials/pin.ts";
import { secretWords } from "../credentials/secret-words.ts";
import { farmMounts, mount } from "../files/mounts.ts";
import { standing } from "../lending/lending.ts";
import { failure } from "../model/failure.ts";
import { timeLimits } from "../model/time-limits.ts";
import { maxOutboundRules, parseRule, ruleForms } from "../outbound/rules.ts";
import { intent, published, seenState, work } from "../work/work.ts";
import { fileRequest, fileResponse } from "./node-files.ts";
import { pollRequest, pollResponse } from "./polling.ts";

/**
 * The messages between coordinator and agents over the WebSocket: JSON, one message per frame, strict on both sides.
 * Protocol N serves N-1; an older agent is told to drain.
 */
export const protocolVersion = 2;
/** Older agents are refused in words. Protocol 1 was never released. */
export const oldestProtocol = Math.max(2, protocolVersion - 1);

/** Message size limits in bytes: before a node is authenticated, and after. */
export const maxHelloBytes = 1024 * 1024;
export const maxMessageBytes = 16 * 1024 * 1024;
/** The most log text of a running attempt in one message. */
export const maxLogCharacters = 64_000;

/** The number of an attempt. A higher epoch, or the same epoch and a higher counter, is newer. */
export const fence = z.strictObject({ epoch: z.number().int(), counter: z.number().int() });
export type Fence = z.output<typeof fence>;

export const fenceKey = ({ epoch, counter }: Fence): string => `${epoch}.${counter}`;

const shortText = z.string().min(1).max(200);

/** Rules of the whole farm for what jobs may reach over the network, as people write them. */
export const outboundRules = z
  .array(
    z
      .string()
      .max(300)
      .refine((text) => parseRule(text) !== undefined, `must be ${ruleForms}`),
  )
  .max(maxOutboundRules);

/** What a node's tools can do, as reported by the tools. */
export const tools = z.strictObject({
  ffmpeg: z.strictObject({ path: addressText, version: keyText, build: foreignText }).nullable(),
  ffprobe: z.strictObject({ path: addressText, version: keyText, build: foreignText }).nullable(),
  /** Shaka Packager, where the node has it. */
  packager: z.strictObject({ path: addressText, version: keyText, build: foreignText }).nullable().optional(),
  /** The encoder of HE-AAC, where the node has it. */
  fdkaac: z.strictObject({ path: addressText, version: keyText, build: foreignText }).nullable().optional(),
  /** `encoder:libx264`, `filter:scale`, `muxer:mp4`, `ffmpeg`, `ffprobe`. */
  capabilities: z.array(z.string().max(200)).max(20_000),
});
export type Tools = z.output<typeof tools>;

export const credentials = z.union([
  z.strictObject({ joinToken: z.string().max(4000) }),
  z.strictObject({ nodeId: z.number().int(), nodeKey: z.string().max(200) }),
]);

/** The state of an attempt that an agent has not finished with. */
export const attemptStatus = z.strictObject({
  fence,
  taskId: z.number().int(),
  state: z.enum(["running", "verified", "reported"]),
});
export type AttemptStatus = z.output<typeof attemptStatus>;

export const hello = z.strictObject({
  type: z.literal("hello"),
  protocol: z.number().int(),
  /** Identifies this run of the agent: tells two agents with the same identity apart. */
  instance: z.string().max(100).optional(),
  credentials,
  name: shortText,
  platform: z.enum(["posix", "win32"]),
  tags: z.array(z.string().min(1).max(100)).max(200),
  slots: z.number().int().min(0).max(1024),
  roots: z.array(z.string().max(4000)).max(200),
  mounts: z.array(mount).max(200),
  tools,
  /** CPU model, cores, memory and free scratch space in bytes, GPUs: the scheduler subtracts what tasks demand. */
  machine: z.strictObject({
    cpu: z.string().max(200),
    cores: z.number().min(0).max(65_536),
    memory: amount,
    disk: amount.optional(),
    gpus: z.number().int().nonnegative().optional(),
    os: z.string().max(200),
  }),
  attempts: z.array(attemptStatus).max(10_000),
  /** Whether its owner lends it just now; absent: always. */
  standing: standing.optional(),
  /** The agent's version of Mediafarm. */
  version: shortText.optional(),
  /** Its clock when this was sent: Unix milliseconds. */
  clock: amount.optional(),
});
export type Hello = z.output<typeof hello>;

export const progress = z.strictObject({
  /** 0..100; absent while unknown. */
  percent: z.number().min(0).max(100).optional(),
  fps: amount.optional(),
  /** Times real time. */
  speed: amount.optional(),
  frame: amount.optional(),
  /** Bytes that were copied or fetched. */
  bytes: amount.optional(),
  /** Seconds of output made. */
  position: measured.optional(),
});
export type Progress = z.output<typeof progress>;

/** The time and resources that an attempt used on its node. */
export const attemptStats = z.strictObject({
  wallMs: amount,
  cpuMs: amount.optional(),
  peakMemory: amount.optional(),
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
  /** Also said between beats when the node's standing changes. */
  z.strictObject({
    type: z.literal("heartbeat"),
    standing: standing.optional(),
    /** Bytes of scratch space that are free now. */
    disk: amount.optional(),
  }),
  z.strictObject({ type: z.literal("started"), fence }),
  z.strictObject({ type: z.literal("progress"), fence, progress }),
  /** Its owner wants the machine back: the attempt has ended, and its task is to start elsewhere. */
  z.strictObject({ type: z.literal("returned"), fence, why: z.string().max(500) }),
  /** An attempt was stopped, given back or dropped before it could report: its log so far, for people. */
  z.strictObject({ type: z.literal("ended"), fence, log: z.string().max(300_000) }),
  z.strictObject({ type: z.literal("commit"), fence, intent }),
  z.strictObject({ type: z.literal("report"), report }),
  /** The answer to `inspect`. */
  z.strictObject({ type: z.literal("inspected"), fence, seen: seenState }),
  /** The log of a watched attempt from a position on; `left` characters before it were dropped. */
  z.strictObject({
    type: z.literal("log"),
    fence,
    from: z.number().int().nonnegative(),
    left: z.number().int().nonnegative(),
    text: z.string().max(maxLogCharacters),
  }),
  /** After a restart: the agent holds files of this attempt on remote storage, and no keys to it any more. */
  z.strictObject({ type: z.literal("request_keys"), fence }),
  /** The answer to `poll`. */
  z.strictObject({ type: z.literal("polled"), id: z.number().int(), response: pollResponse }),
  /** The answer to `request`. */
  z.strictObject({ type: z.literal("response"), id: z.number().int(), response: fileResponse }),
  /** The agent is shutting down and takes no more tasks. */
  z.strictObject({ type: z.literal("goodbye") }),
] as const;
export const agentMessage = z.discriminatedUnion("type", agentMessages);
export type AgentMessage = z.output<typeof agentMessage>;

export const assignment = z.strictObject({
  fence,
  taskId: z.number().int(),
  name: z.string(),
  work,
  /** The granted intent of an earlier attempt, perhaps published in part: finish it before making anything again. */
  previousIntent: intent.nullable(),
  /** Absent: no time limits. */
  limits: timeLimits.optional(),
  /** What the steps ask for by name. It stays in memory: what is written to disk of an assignment leaves it out. */
  secretWords: secretWords.optional(),
  /** What opens the remote storage of this task; in memory alone too. */
  keys: secrets.optional(),
});
export type Assignment = z.output<typeof assignment>;

const coordinatorMessages = [
  z.strictObject({
    type: z.literal("welcome"),
    protocol: z.number().int(),
    epoch: z.number().int(),
    nodeId: z.number().int(),
    /** Only when the node has just enrolled; never sent again. */
    nodeKey: z.string().optional(),
    heartbeatMs: z.number().positive(),
    /** The attempts of `hello` that continue; all others are dropped. */
    keep: z.array(fence),
    /** The farm's mounts. Absent: unchanged. */
    mounts: farmMounts.optional(),
    /** What jobs may reach over the network from every node, beside what its operator allows. Absent: nothing more. */
    outbound: outboundRules.optional(),
    /** The pins of the farm's TLS authority, also of the next one; see shared/credentials/pin.ts. Absent: unchanged. */
    pins: pins.min(1).optional(),
  }),
  z.strictObject({
    type: z.literal("refused"),
    message: z.string(),
    retry: z.boolean(),
    /** twin: another agent is connected with this identity · revoked: the node can no longer connect. */
    reason: z.enum(["twin", "revoked"]).optional(),
  }),
  z.strictObject({ type: z.literal("assign"), epoch: z.number().int(), assignment }),
  z.strictObject({ type: z.literal("granted"), epoch: z.number().int(), fence }),
  /** The fence is old: end the attempt and publish nothing. */
  z.strictObject({ type: z.literal("stale"), epoch: z.number().int(), fence, why: z.string() }),
  z.strictObject({ type: z.literal("cancel"), epoch: z.number().int(), fence, why: z.string() }),
  /** A lost node was granted this intent: which of its files can this node see? */
  z.strictObject({
    type: z.literal("inspect"),
    epoch: z.number().int(),
    fence,
    intent,
    keys: secrets.optional(),
  }),
  /** What is there of what tasks wait for? Looking takes no slot. */
  z.strictObject({
    type: z.literal("poll"),
    epoch: z.number().int(),
    id: z.number().int(),
    request: pollRequest,
    keys: secrets.optional(),
  }),
  /** The answer to `request_keys`; empty where there are none any more. */
  z.strictObject({ type: z.literal("keys"), epoch: z.number().int(), fence, keys: secrets }),
  /** Someone watches the attempt's log: send it from this position on, for this long. */
  z.strictObject({
    type: z.literal("watch_log"),
    epoch: z.number().int(),
    fence,
    from: z.number().int().nonnegative(),
    forMs: z.number().positive(),
  }),
  /** Somebody looks at the node's files; sent only to nodes that declare `filesCapability`. */
  z.strictObject({ type: z.literal("request"), epoch: z.number().int(), id: z.number().int(), request: fileRequest }),
  /** Nobody waits for the answer any more; sent only to nodes that declare `previewsCapability`. */
  z.strictObject({ type: z.literal("cancel_request"), epoch: z.number().int(), id: z.number().int() }),
  /** The farm's mounts have changed; this is the new list. */
  z.strictObject({ type: z.literal("mounts"), epoch: z.number().int(), mounts: farmMounts }),
  /** The farm's rules for the network have changed; these are all of them. */
  z.strictObject({ type: z.literal("outbound"), epoch: z.number().int(), rules: outboundRules }),
  /** The report is stored; the agent may forget it. */
  z.strictObject({ type: z.literal("stored"), epoch: z.number().int(), fence }),
] as const;
export const coordinatorMessage = z.discriminatedUnion("type", coordinatorMessages);
export type CoordinatorMessage = z.output<typeof coordinatorMessage>;
