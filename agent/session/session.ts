import type { Clock } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { orAborted } from "../../shared/basics/or-aborted.ts";
import type { Key } from "../../shared/credentials/credentials.ts";
import type { FarmMount } from "../../shared/files/mounts.ts";
import type { AgentMessage, CoordinatorMessage, Fence, Hello } from "../../shared/protocol/messages.ts";
import type { FileRequest, FileResponse } from "../../shared/protocol/node-files.ts";
import type { Intent, SeenState } from "../../shared/work/work.ts";
import type { Attempts } from "../attempt/attempts.ts";
import type { Polling } from "../files/polling.ts";
import type { Log } from "../log.ts";
import { type Connect, type Connection, openConnection } from "./connection.ts";
import type { Identity } from "./identity.ts";
import { createRequests, type Requests } from "./requests.ts";

/** The session with the coordinator. It reconnects as often as needed. */
export type Session = {
  start(): void;
  send(message: AgentMessage): void;
  /**
   * Resolves once the coordinator has answered since: what it took back before that has been dropped by then. Waits for
   * the next welcome where there is no connection.
   */
  confirm(signal: AbortSignal): Promise<void>;
  /** Rejects when the coordinator refuses this node for good. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
};

export type SessionNeeds = {
  readonly identity: Identity;
  readonly attempts: () => Attempts;
  /** Checks which files of another node's intent this node can see. */
  readonly inspect: (fence: Fence, intent: Intent, keys?: readonly Key[]) => Promise<SeenState>;
  readonly polling: Pick<Polling, "poll">;
  /** Answers what people ask of this node's files. */
  readonly files: (ask: FileRequest, signal: AbortSignal) => Promise<FileResponse>;
  /** Lets jobs reach what these rules of the farm allow, from now on. */
  readonly applyOutbound: (rules: readonly string[]) => void;
  /** Uses these farm mounts from now on. */
  readonly applyMounts: (mounts: readonly FarmMount[]) => Promise<void>;
  readonly hello: () => Hello;
  readonly standing: () => Hello["standing"];
  /** Bytes of scratch space that are free now, as far as known. */
  readonly disk: () => number | undefined;
  readonly connect: Connect;
  readonly clock: Clock;
  /** 0 up to 1, for the jitter: a whole farm must not reconnect at the same moment. */
  readonly random: () => number;
  readonly log: Log;
  readonly onConnected: (nodeId: number) => void;
};

type Refused = Extract<CoordinatorMessage, { type: "refused" }>;
type Welcome = Extract<CoordinatorMessage, { type: "welcome" }>;
type Order = Exclude<CoordinatorMessage, Refused | Welcome>;

/** What one connection leaves to the next: the newest epoch, and how many failed since the last welcome. */
type Memory = { epoch: number; failures: number };

export const createSession = (needs: SessionNeeds): Session => {
  const { identity, clock, log } = needs;
  const over = Promise.withResolvers<void>();
  over.promise.catch(() => undefined); // reported through `ended`; a caller that ignores it must not crash
  const memory: Memory = { epoch: 0, failures: 0 };
  let connection: Connection | undefined;
  let cancelRetry: (() => void) | undefined;
  let isOver = false;
  let welcomed = Promise.withResolvers<Connection>();
  let isWelcomed = false;

  const open = (): void => {
    const now = converse(needs, memory, {
      onRefused: refuse,
      onWelcomed: () => {
        if (connection !== now) return; // it ended while its welcome was read
        isWelcomed = true;
        welcomed.resolve(now);
      },
      onClose: () => {
        if (connection === now) connection = undefined;
        if (isWelcomed) welcomed = Promise.withResolvers(); // who waits goes on waiting for the next one
        isWelcomed = false;
        if (!isOver) retry();
      },
    });
    connection = now;
  };

  const retry = (): void => {
    const ms = backOff(memory.failures++, needs.random());
    log.info("Not connected; retrying", { ms: Math.round(ms) });
    cancelRetry = clock.after(ms, open);
  };

  const refuse = ({ message, retry, reason }: Refused): void => {
    if (reason === "twin") return; // the key is valid, so try again
    const joinsNext = reason === undefined && identity.refused();
    if (retry || joinsNext) return;
    isOver = true;
    over.reject(new AppError("NOT_AUTHENTICATED", `The coordinator refused this node: ${message}`));
  };

  return {
    start: open,
    send: (message) => connection?.send(message),
    confirm: async (signal) => {
      for (let isConfirmed = false; !isConfirmed; ) {
        const now = await orAborted(welcomed.promise, signal);
        isConfirmed = await orAborted(now.answers(), signal);
      }
    },
    ended: over.promise,
    stop: async () => {
      isOver = true;
      cancelRetry?.();
      connection?.send({ type: "goodbye" });
      await connection?.close();
      over.resolve();
    },
  };
};

type Ends = {
  readonly onRefused: (message: Refused) => void;
  /** What the welcome does not keep has been dropped. */
  readonly onWelcomed: () => void;
  readonly onClose: () => void;
};

/** One connection: this node's hello, the coordinator's welcome or refusal, then its orders. */
const converse = (needs: SessionNeeds, memory: Memory, { onRefused, onWelcomed, onClose }: Ends): Connection => {
  const { identity, connect, clock, log } = needs;
  let listed: Hello["attempts"] = [];
  let isWelcome = false;
  const requests = createRequests(needs.files, (answer) => now.send(answer));

  const handle = async (message: Welcome | Order): Promise<void> => {
    if (message.type !== "welcome") return handleOrder(message, needs, now, requests);
    memory.failures = 0;
    now.beat(message.heartbeatMs);
    await handleWelcome(message, needs, listed);
    onWelcomed();
  };

  const now = openConnection({
    ...{ url: urlFor(identity, memory.failures), pins: identity.pins(), connect, clock, log },
    heartbeat: () => ({ type: "heartbeat", standing: needs.standing(), disk: needs.disk() }),
    onOpen: () => {
      const hello = needs.hello();
      listed = hello.attempts;
      now.send(hello);
    },
    onMessage: (message) => {
      if (message.type === "refused") {
        now.end(`refused: ${message.message}`);
        return onRefused(message);
      }
      if (message.epoch < memory.epoch) return now.end(`epoch ${message.epoch} is over, ${memory.epoch} was seen`);
      memory.epoch = message.epoch;
      if (isWelcome !== (message.type !== "welcome")) return now.end(`"${message.type}" came out of turn`);
      isWelcome = true;
      handle(message).catch((error) => {
        log.error("Could not handle a message", { type: message.type, error });
        now.end("reconnecting after an error");
      });
    },
    onClose: () => {
      requests.cancelAll();
      onClose();
    },
  });
  // Before it has welcomed this node, a coordinator hears nothing but hello: a busy one takes its time.
  return { ...now, send: (message) => void (isWelcome && now.send(message)) };
};

const handleWelcome = async (message: Welcome, needs: SessionNeeds, listed: Hello["attempts"]): Promise<void> => {
  needs.applyOutbound(message.outbound ?? []);
  await Promise.all([
    needs.identity.welcomed(message.nodeId, message.nodeKey, message.pins),
    message.mounts && needs.applyMounts(message.mounts),
  ]);
  needs.log.info("Connected", { node: message.nodeId, epoch: message.epoch });
  needs.onConnected(message.nodeId);
  await needs.attempts().resume({ listed, keep: message.keep });
};

const handleOrder = async (message: Order, needs: SessionNeeds, now: Connection, requests: Requests): Promise<void> => {
  const attempts = needs.attempts();
  if (message.type === "mounts") return needs.applyMounts(message.mounts);
  if (message.type === "outbound") return needs.applyOutbound(message.rules);
  if (message.type === "request") return requests.answer(message.id, message.request);
  if (message.type === "cancel_request") return requests.cancel(message.id);
  if (message.type === "keys") return attempts.keys(message.fence, message.keys);
  if (message.type === "inspect") {
    const seen = await needs.inspect(message.fence, message.intent, message.keys);
    return now.send({ type: "inspected", fence: message.fence, seen });
  }
  if (message.type === "poll") {
    for await (const response of needs.polling.poll(message.request, message.keys))
      now.send({ type: "polled", id: message.id, response });
    return;
  }
  if (message.type === "assign") return attempts.assign(message.assignment);
  if (message.type === "granted") return attempts.granted(message.fence);
  if (message.type === "stored") return attempts.reportStored(message.fence);
  if (message.type === "watch_log") return attempts.watchLog(message.fence, message.from, message.forMs);
  return attempts.drop(message.fence, message.why);
};

/** Each failed try moves on to the farm's next coordinator. One that stands by says itself where the leader is. */
export const urlFor = ({ url, others }: Pick<Identity, "url" | "others">, failures: number): string => {
  const all = [url, ...others];
  return all[failures % all.length] ?? url;
};

const firstMs = 250;
const longestMs = 10_000;

/** Doubles with each failure, well below the time after which a silent node counts as lost; up to half is jitter. */
export const backOff = (failures: number, random: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures, 20)) * (1 - random / 2);
