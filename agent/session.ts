import type { Clock } from "../shared/clock.ts";
import type { Key } from "../shared/credentials.ts";
import { AppError } from "../shared/errors.ts";
import type { FileAsk, FileTold } from "../shared/node-files.ts";
import type { AgentMessage, CoordinatorMessage, FarmMount, Fence, Hello } from "../shared/protocol.ts";
import type { Intent, SeenState } from "../shared/work.ts";
import type { Attempts } from "./attempts.ts";
import { type Connect, type Connection, openConnection } from "./connection.ts";
import type { Identity } from "./identity.ts";
import type { Log } from "./log.ts";
import type { Looks } from "./looks.ts";
import { createQuestions, type Questions } from "./questions.ts";

/** The session with the coordinator. It reconnects as often as needed. */
export type Session = {
  start(): void;
  send(message: AgentMessage): void;
  /** Rejects when the coordinator refuses this node for good. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
};

export type SessionNeeds = {
  readonly identity: Identity;
  readonly attempts: () => Attempts;
  /** Checks which files of another node's intent this node can see. */
  readonly inspect: (fence: Fence, intent: Intent, keys?: readonly Key[]) => Promise<SeenState>;
  readonly looks: Pick<Looks, "look">;
  /** Answers what people ask of this node's files. */
  readonly files: (ask: FileAsk, signal: AbortSignal) => Promise<FileTold>;
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

type Welcome = Extract<CoordinatorMessage, { type: "welcome" }>;

export const createSession = (needs: SessionNeeds): Session => {
  const { identity, clock, log } = needs;
  const over = Promise.withResolvers<void>();
  over.promise.catch(() => undefined); // reported through `ended`; a caller that ignores it must not crash
  let connection: Connection | undefined;
  let cancelRetry: (() => void) | undefined;
  let highestEpoch = 0;
  let failures = 0;
  let isOver = false;

  const open = (): void => {
    let listed: Hello["attempts"] = [];
    let isWelcome = false;
    const questions = createQuestions(needs.files, (answer) => now.send(answer));
    const now = openConnection({
      url: identity.url,
      pins: identity.pins(),
      connect: needs.connect,
      clock,
      log,
      heartbeat: () => ({ type: "heartbeat", standing: needs.standing(), disk: needs.disk() }),
      onOpen: () => {
        const hello = needs.hello();
        listed = hello.attempts;
        now.send(hello);
      },
      onMessage: (message) => {
        if (message.type === "refused") return refuse(message, now);
        if (message.epoch < highestEpoch) return now.end(`epoch ${message.epoch} is over, ${highestEpoch} was seen`);
        highestEpoch = message.epoch;
        if (isWelcome !== (message.type !== "welcome")) return now.end(`"${message.type}" came out of turn`);
        isWelcome = true;
        const done =
          message.type === "welcome" ? welcome(message, now, listed) : handleOrder(message, needs, now, questions);
        done.catch((error) => {
          log.error("Could not handle a message", { type: message.type, error });
          now.end("reconnecting after an error");
        });
      },
      onClose: () => {
        questions.dropAll();
        if (connection === now) connection = undefined;
        if (!isOver) retry();
      },
    });
    connection = now;
  };

  const retry = (): void => {
    const ms = backOff(failures++, needs.random());
    log.info("Not connected; retrying", { ms: Math.round(ms) });
    cancelRetry = clock.after(ms, open);
  };

  const refuse = ({ message, retry, reason }: Extract<CoordinatorMessage, { type: "refused" }>, now: Connection) => {
    now.end(`refused: ${message}`);
    if (reason === "twin") return; // the key is valid, so try again
    const joinsNext = reason === undefined && identity.refused();
    if (retry || joinsNext) return;
    isOver = true;
    over.reject(new AppError("NOT_AUTHENTICATED", `The coordinator refused this node: ${message}`));
  };

  const welcome = async (message: Welcome, now: Connection, listed: Hello["attempts"]): Promise<void> => {
    failures = 0;
    now.beat(message.heartbeatMs);
    needs.applyOutbound(message.outbound ?? []);
    await Promise.all([
      identity.welcomed(message.nodeId, message.nodeKey, message.pins),
      message.mounts && needs.applyMounts(message.mounts),
    ]);
    log.info("Connected", { nodeId: message.nodeId, epoch: message.epoch });
    needs.onConnected(message.nodeId);
    await needs.attempts().resume({ listed, keep: message.keep });
  };

  return {
    start: open,
    send: (message) => connection?.send(message),
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

type Order = Exclude<CoordinatorMessage, { type: "welcome" | "refused" }>;

const handleOrder = async (
  message: Order,
  needs: Pick<SessionNeeds, "attempts" | "applyMounts" | "applyOutbound" | "inspect" | "looks">,
  now: Connection,
  questions: Questions,
) => {
  if (message.type === "mounts") return needs.applyMounts(message.mounts);
  if (message.type === "outbound") return needs.applyOutbound(message.rules);
  if (message.type === "ask") return questions.answer(message.request, message.ask);
  if (message.type === "unask") return questions.drop(message.request);
  if (message.type === "keys") return needs.attempts().keys(message.fence, message.keys);
  if (message.type === "inspect") {
    const seen = await needs.inspect(message.fence, message.intent, message.keys);
    return now.send({ type: "inspected", fence: message.fence, seen });
  }
  if (message.type === "look") {
    for await (const answer of needs.looks.look(message.question, message.keys))
      now.send({ type: "looked", look: message.look, answer });
    return;
  }
  const attempts = needs.attempts();
  if (message.type === "assign") return attempts.assign(message.assignment);
  if (message.type === "granted") return attempts.granted(message.fence);
  if (message.type === "stored") return attempts.reportStored(message.fence);
  if (message.type === "tail") return attempts.tail(message.fence, message.from, message.forMs);
  return attempts.drop(message.fence, message.why);
};

const firstMs = 250;
const longestMs = 10_000;

/** Doubles with each failure, well below the time after which a silent node counts as lost; up to half is jitter. */
export const backOff = (failures: number, random: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures, 20)) * (1 - random / 2);
