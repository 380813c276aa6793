import { once } from "node:events";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { readMessage } from "../../../coordinator/connections/read-message.ts";
import {
  type AgentMessage,
  type Assignment,
  type CoordinatorMessage,
  coordinatorMessage,
  type Fence,
  fenceKey,
  maxMessageBytes,
} from "../../../shared/protocol/messages.ts";
import type { Random } from "../attack.ts";
import { greeting, type Identity } from "./greetings.ts";
import { agentTypes, type FieldLie, type Knowledge, lieOf } from "./lies.ts";
import { aboutOthers, aboutOwn, answerTo, babble, guesses, isOwnIntent } from "./stories.ts";

export type LiarNeeds = {
  readonly url: string;
  readonly joinToken: string;
  readonly name: string;
  readonly random: Random;
  readonly uris: readonly string[];
  readonly names: readonly string[];
  /** What an honest node holds just now. */
  readonly others: () => readonly Assignment[];
  /** Numbers of what that node is asked just now. */
  readonly othersAsked: () => readonly number[];
  /** The next field to lie in, as long as there is one. */
  readonly nextField: () => FieldLie | undefined;
  /** What liars said before, for those who say it again. */
  readonly past: string[];
  /** Hears what it was told that is not its own to know. */
  readonly fell: (what: string) => void;
  /** Counts what was sent, and what came back. */
  readonly count: (what: string) => void;
};

export type Liar = ReturnType<typeof createLiar>;

/** What of the past is kept to be said again. */
const mostPast = 2000;

/** A node that keeps no rule. It connects again whenever it is hung up on. */
export const createLiar = (needs: LiarNeeds) => {
  const { url, random, uris, names, count, past } = needs;
  let socket: WebSocket | undefined;
  let identity: Identity | undefined;
  let own: Assignment[] = [];
  /** Of its own attempts, by their fences: whether what it first asked to publish was its own. */
  const wishes = new Map<string, boolean>();
  let asked: number[] = [];
  let epoch = 0;
  let sent = 0;

  const knowledge = (): Knowledge => ({
    ...{ random, uris, names, own, asked, epoch },
    ...{ others: needs.others(), othersAsked: needs.othersAsked() },
  });

  const noteWish = ({ fence, intent }: Extract<AgentMessage, { type: "commit" }>): void => {
    const key = fenceKey(fence);
    const assignment = own.find((each) => fenceKey(each.fence) === key);
    if (assignment && !wishes.has(key)) wishes.set(key, isOwnIntent(assignment, intent));
  };

  /** False once nothing behind it would be read. */
  const send = (text: string, kind: string): boolean => {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(text);
    sent += 1;
    const read = heardAs(text);
    const heard = read.kind;
    if (read.kind === "message" && read.message.type === "commit") noteWish(read.message);
    count(`sent ${kind}: ${heard}`);
    if (heard === "breach") return false;
    // What broke the protocol once would only end the next connection too.
    if (text.length < 10_000 && random.chance(0.02))
      past[Math.min(past.length, random.integer(0, mostPast - 1))] = text;
    return true;
  };
  const say = (value: unknown): boolean => {
    if (typeof value === "string") return send(value, "babble");
    const type = value !== null && typeof value === "object" && "type" in value ? value.type : undefined;
    return send(JSON.stringify(value) ?? "null", agentTypes.find((each) => each === type) ?? "babble");
  };

  const work = (assignment: Assignment): void => {
    own = [...own.slice(-19), assignment];
    for (const lie of aboutOwn(assignment, knowledge())) say(lie);
  };

  /** What it should never be told. */
  const judge = (message: CoordinatorMessage, text: string): void => {
    if (isForOthers(message, needs.others())) needs.fell(`${needs.name} was told ${text.slice(0, 300)}`);
    if (message.type === "granted" && wishes.get(fenceKey(message.fence)) === false)
      needs.fell(`${needs.name} was granted to publish what is not its own`);
  };
  const hear = (text: string): void => {
    const parsed = coordinatorMessage.safeParse(JSON.parse(text));
    if (!parsed.success) {
      count("heard: nonsense");
      return;
    }
    const message: CoordinatorMessage = parsed.data;
    count(`heard: ${message.type}`);
    if ("epoch" in message) epoch = message.epoch;
    judge(message, text);
    if (message.type === "welcome" && message.nodeKey !== undefined)
      identity = { nodeId: message.nodeId, nodeKey: message.nodeKey };
    if (message.type === "assign") work(message.assignment);
    if (message.type === "request" || message.type === "poll") asked = [...asked.slice(-19), message.id];
    const answer = answerTo(message, knowledge());
    if (answer !== undefined && random.chance(0.8)) say(answer);
  };

  const connect = async (): Promise<boolean> => {
    const now = new WebSocket(url, { maxPayload: maxMessageBytes, perMessageDeflate: false, generateMask: noMask });
    socket = now;
    now.once("upgrade", ({ socket: wire }) => wires.set(now, wire));
    const answered = new Promise<boolean>((resolve) => {
      now.on("message", (data) => {
        hear(String(data));
        resolve(identity !== undefined);
      });
      now.on("close", (code) => {
        count(`closed: ${code}`);
        resolve(false);
      });
      now.on("error", () => resolve(false));
    });
    const hello = greeting(needs, identity, knowledge());
    now.on("open", () => {
      now.send(JSON.stringify(hello));
      sent += 1;
      count("sent a greeting");
    });
    return answered;
  };

  return {
    name: needs.name,
    nodeId: () => identity?.nodeId,
    /** Messages that it sent, and that were read as far as it can know. */
    sent: () => sent,
    /** Comes in, and waits for a while until it is asked to make a file: nobody asks who was found out. */
    begin: async (): Promise<void> => {
      if (!(await connect())) return;
      const isAsked = () => own.some(({ work: { outputs } }) => Object.keys(outputs).length > 0);
      for (let nr = 0; nr < 40 && !isAsked(); nr += 1) await pause(50);
    },
    /** Sends a burst of one kind; resolves once the coordinator has read it, or hung up. */
    burst: async (size: number): Promise<void> => {
      let wire: Duplex | undefined;
      for (const make of burstOf(size, knowledge(), needs)) {
        if (socket?.readyState !== WebSocket.OPEN && !(await connect())) await pause(5);
        wire ??= gathered(socket);
        if (say(make())) continue;
        wire = released(wire);
        await drained(socket); // it is hung up on
      }
      released(wire);
      if (socket && random.chance(0.02)) disturb(socket, random);
      await drained(socket);
      if (random.chance(0.02)) socket?.terminate();
    },
    end: async (): Promise<void> => {
      const ended = socket && socket.readyState !== WebSocket.CLOSED ? once(socket, "close") : undefined;
      socket?.terminate();
      await ended;
    },
  };
};

/** What only the node of an attempt is told. */
const answers: ReadonlySet<CoordinatorMessage["type"]> = new Set(["granted", "stored", "keys", "watch_log"]);

const isForOthers = (message: CoordinatorMessage, others: readonly Assignment[]): boolean => {
  if (!answers.has(message.type) || !("fence" in message)) return false;
  const { epoch, counter }: Fence = message.fence;
  return others.some(({ fence }) => fence.epoch === epoch && fence.counter === counter);
};

/** How the coordinator reads it; the same again is not read again. */
const createHearing = () => {
  let before = { text: "", read: readMessage("", maxMessageBytes) };
  return (text: string) => {
    if (text !== before.text) before = { text, read: readMessage(text, maxMessageBytes) };
    return before.read;
  };
};
const heardAs = createHearing();

/** A mask of zeros changes nothing, and costs neither side anything. */
const noMask = (): void => undefined;

const wires = new WeakMap<WebSocket, Duplex>();

/** Holds back what is sent until it is released: a burst is one packet. */
const gathered = (socket: WebSocket | undefined): Duplex | undefined => {
  const wire = socket && wires.get(socket);
  wire?.cork();
  return wire;
};
const released = (wire: Duplex | undefined): undefined => void wire?.uncork();

type Maker = () => unknown;

/** Makers of the messages of one burst, by how often each kind of burst comes among a hundred. */
const kindsOfBurst: readonly (readonly [
  share: number,
  make: (size: number, knowledge: Knowledge, needs: LiarNeeds) => readonly Maker[],
])[] = [
  // Every field with everything that may be wrong in it, one after the other.
  [25, (size, knowledge, { nextField }) => times(size, () => nextField()?.make(knowledge) ?? anything(knowledge, 0))],
  // All fields lie at once.
  [10, (size, knowledge) => times(size, () => anything(knowledge, 0))],
  // Answers to what another node was asked: questions are numbered.
  [10, (_size, knowledge) => guesses(knowledge).map((lie) => () => lie)],
  [5, (size, knowledge) => times(size, () => lieOf(knowledge.random.one(agentTypes), knowledge, 0.01))],
  // One thing again and again, and what others said before.
  [10, (size, knowledge) => same(size, anything(knowledge, 0))],
  [10, (size, { random }, { past }) => times(size, () => random.one(past) ?? babble(random))],
  // Orders of messages about its own work, and about what an honest node does.
  [15, (size, knowledge) => stories(size, knowledge, knowledge.own, aboutOwn)],
  [13, (size, knowledge) => stories(size, knowledge, knowledge.others, aboutOthers)],
  // What is no message.
  [2, (size, { random }) => times(size, () => babble(random))],
];

const burstOf = (size: number, knowledge: Knowledge, needs: LiarNeeds): readonly Maker[] => {
  let roll = knowledge.random.integer(0, 99);
  for (const [share, make] of kindsOfBurst) {
    roll -= share;
    if (roll < 0) return make(size, knowledge, needs);
  }
  return [];
};

const times = (size: number, make: Maker): Maker[] => Array.from({ length: size }, () => make);
const same = (size: number, value: unknown): Maker[] => times(size, () => value);
/** Most keep to their schema: what is turned away at the door tries nothing behind it. */
const anything = (knowledge: Knowledge, badness: number) =>
  lieOf(knowledge.random.one(spoken), knowledge, badness, knowledge.random.chance(0.8));

const stories = (
  size: number,
  knowledge: Knowledge,
  of: readonly Assignment[],
  tell: (assignment: Assignment, knowledge: Knowledge) => unknown[],
): Maker[] =>
  of.length === 0
    ? []
    : times(size, () => 0).flatMap(() => tell(knowledge.random.one(of), knowledge).map((lie) => () => lie));

/** What does not end the connection by itself. */
const spoken = agentTypes.filter((type) => type !== "hello" && type !== "goodbye");

/** What a socket can do beside messages. */
const disturb = (socket: WebSocket, random: Random): void => {
  if (socket.readyState !== WebSocket.OPEN) return;
  random.one([
    () => Array.from({ length: 500 }, () => socket.ping("x".repeat(125))),
    () => Array.from({ length: 500 }, () => socket.pong()),
    () => socket.send(Buffer.from('{"type":"heartbeat"}'), { binary: true }),
    () => socket.send(Buffer.alloc(1000, 0xff), { binary: true }),
    () => {
      for (let nr = 0; nr < 300; nr += 1) socket.send(" ", { fin: false });
      socket.send('{"type":"heartbeat"}');
    },
    () => socket.send('{"type":"heartbeat"', { fin: false }),
  ])();
};

/** Until the coordinator has read all that was sent: it answers a ping behind it. */
const drained = async (socket: WebSocket | undefined): Promise<void> => {
  if (socket?.readyState !== WebSocket.OPEN) return;
  const heard = new AbortController();
  socket.ping();
  await Promise.race(["pong", "close"].map((event) => once(socket, event, { signal: heard.signal }))).catch(() => {});
  heard.abort();
};
