import {
  type Assignment,
  type CoordinatorMessage,
  type Fence,
  fenceKey,
  type Hello,
  protocolVersion,
  type Report,
} from "../../shared/protocol/messages.ts";
import type { Intent } from "../../shared/work/work.ts";
import type { randomFrom } from "../helpers/random/random.ts";
import type { Book } from "./book.ts";
import type { FakeDisk } from "./fake-disk.ts";
import { openLine } from "./line.ts";
import { perform } from "./perform.ts";
import type { Blow } from "./troubles.ts";

/** An attempt in a fake node's hands. */
export type FakeHeld = {
  readonly assignment: Assignment;
  state: "running" | "verified" | "reported";
  isDropped: boolean;
  intent: Intent | undefined;
  grant: (() => void) | undefined;
  report: Report | undefined;
};

export type FakeNodeNeeds = {
  readonly url: string | (() => string);
  readonly joinToken: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly slots: number;
  readonly random: ReturnType<typeof randomFrom>;
  readonly disk: FakeDisk;
  readonly book: Book;
  /** Once true, nothing goes wrong any more. */
  readonly isCalm: () => boolean;
  /** Longest that a node is frozen, in milliseconds; beyond the farm's patience. */
  readonly frozenMs: number;
  readonly workMs: number;
  /** How many heartbeats it says at a time; default: one. */
  readonly beats?: number;
};

export type FakeNode = ReturnType<typeof startFakeNode>;

/** Beside its slots a node is given this many light tasks at most. */
const lightSlots = 2;

/** One node over a real socket: keeps what a real agent keeps on disk, forgets what a real one forgets when it dies. */
export const startFakeNode = (needs: FakeNodeNeeds) => {
  const { book, disk, random } = needs;
  const held = new Map<string, FakeHeld>();
  let identity: { readonly nodeId: number; readonly nodeKey: string } | undefined;
  let listed: string[] = [];
  let highestEpoch = 0;
  let asleep = Promise.resolve();

  const hello = (): Hello => {
    const attempts = [...held.values()].map(({ assignment: { fence, taskId }, state }) => ({ fence, taskId, state }));
    listed = attempts.map(({ fence }) => fenceKey(fence));
    return { ...introduction(needs), credentials: identity ?? { joinToken: needs.joinToken }, attempts };
  };

  const drop = (fence: Fence): void => {
    const found = held.get(fenceKey(fence));
    if (!found) return;
    found.isDropped = true;
    held.delete(fenceKey(fence));
    for (const file of found.intent?.files ?? []) disk.remove(file);
  };

  const resume = ({ keep }: { readonly keep: readonly Fence[] }): void => {
    const kept = new Set(keep.map(fenceKey));
    for (const key of listed) {
      const found = held.get(key);
      if (!found) continue;
      if (!kept.has(key)) drop(found.assignment.fence);
      else if (found.report) line.send({ type: "report", report: found.report });
      else if (found.grant && found.intent)
        line.send({ type: "commit", fence: found.assignment.fence, intent: found.intent });
      else if (found.state === "verified") begin(found);
    }
  };

  const begin = (found: FakeHeld): void => {
    perform(found, {
      ...needs,
      send: line.send,
      sendRaw: line.sendRaw,
      strike,
      awake,
      holds: (fence) => held.has(fenceKey(fence)),
    }).catch((problem) => book.violate(`a fake node broke: ${problem instanceof Error ? problem.stack : problem}`));
  };

  const assign = (assignment: Assignment): void => {
    book.assign(assignment.fence);
    const found: FakeHeld = {
      assignment,
      state: "running",
      isDropped: false,
      intent: undefined,
      grant: undefined,
      report: undefined,
    };
    held.set(fenceKey(assignment.fence), found);
    const open = [...held.values()].filter(({ state }) => state !== "reported").length;
    if (open > needs.slots + lightSlots) book.violate(`${needs.name} was given ${open} attempts at once`);
    line.send({ type: "started", fence: assignment.fence });
    begin(found);
  };

  const onMessage = (message: CoordinatorMessage) => {
    book.count(message.type);
    if (message.type === "refused") return refused(message.message);
    if (message.epoch < highestEpoch) book.violate(`epoch ${message.epoch} spoke after ${highestEpoch}`);
    highestEpoch = message.epoch;
    if (message.type === "welcome") {
      if (message.nodeKey !== undefined) identity = { nodeId: message.nodeId, nodeKey: message.nodeKey };
      return resume(message);
    }
    if (message.type === "assign") return assign(message.assignment);
    if (message.type === "granted") {
      return granted(message.fence);
    }
    if (isOfStorage(message)) return;
    if (message.type === "stored" && held.get(fenceKey(message.fence))?.state !== "reported") return;
    return drop(message.fence);
  };

  const granted = (fence: Fence): void => {
    const found = held.get(fenceKey(fence));
    if (found?.intent) book.grant(found.intent);
    found?.grant?.();
  };

  const refused = (why: string): void => {
    if (!needs.isCalm()) book.count(`refused: ${why}`);
  };

  const strike = (blow: Blow): void => {
    if (needs.isCalm() || blow === "none") return;
    book.count(blow);
    if (blow === "cut") line.cut();
    if (blow === "freeze" || blow === "partition") silence(blow);
    if (blow === "crash") crash();
  };

  const silence = (blow: "freeze" | "partition"): void => {
    if (line.isFrozen()) return;
    line.freeze();
    const over = Promise.withResolvers<void>();
    if (blow === "freeze") asleep = over.promise;
    const wake = (): void => {
      over.resolve();
      line.thaw();
    };
    setTimeout(wake, random.integer(10, needs.frozenMs));
  };
  const awake = (): Promise<void> => asleep;

  /** What ran is gone, its hidden files are swept by the next agent; the rest is on disk. */
  const crash = (): void => {
    line.cut();
    for (const found of held.values()) {
      if (found.state === "running") drop(found.assignment.fence);
      else if (found.state === "verified") held.set(fenceKey(found.assignment.fence), revived(found));
    }
  };

  const line = openLine({
    url: needs.url,
    hello,
    onMessage,
    onNonsense: (text) => book.violate(`the coordinator said what is no message: ${text}`),
    patience: () => random.integer(20, 500),
    ...(needs.beats !== undefined && { beats: needs.beats }),
  });

  return {
    name: needs.name,
    holds: (): number => held.size,
    end: line.end,
  };
};

/** The attempt as the next agent finds it on disk; whoever performed it before is gone. */
const revived = (found: FakeHeld): FakeHeld => {
  found.isDropped = true;
  return { ...found, isDropped: false, grant: undefined };
};

const introduction = ({ name, tags, slots }: FakeNodeNeeds): Omit<Hello, "credentials" | "attempts"> => ({
  type: "hello",
  instance: "fake",
  protocol: protocolVersion,
  name,
  platform: "posix",
  tags: [...tags],
  slots,
  roots: ["/media", "/out"],
  mounts: [],
  tools: { ffmpeg: null, ffprobe: null, capabilities: ["ffmpeg", "ffprobe"] },
  machine: { cpu: "none", cores: 1, memory: 1e9, os: "none" },
});

/** Fake nodes have no storage: they neither have mounts nor see what others left there. */
const isOfStorage = (
  message: CoordinatorMessage,
): message is Extract<
  CoordinatorMessage,
  { type: "mounts" | "outbound" | "inspect" | "poll" | "request" | "cancel_request" }
> => ["mounts", "outbound", "inspect", "poll", "request", "cancel_request"].includes(message.type);
