import { WebSocket } from "ws";
import { listingParts } from "../../../media/results/listing.ts";
import type { Clock } from "../../../shared/basics/clock.ts";
import { decodeJoinToken } from "../../../shared/credentials/join-token.ts";
import type { Standing } from "../../../shared/lending/lending.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import type { Failure } from "../../../shared/model/failure.ts";
import type {
  AgentMessage,
  Assignment,
  CoordinatorMessage,
  Fence,
  Hello,
  Tools,
} from "../../../shared/protocol/messages.ts";
import { fenceKey, protocolVersion } from "../../../shared/protocol/messages.ts";
import type { Intent, Published } from "../../../shared/work/work.ts";

/** A made computer: what it is, and when its owner sits at it, in hours before now. */
export type MadeComputer = {
  readonly name: string;
  readonly slots: number;
  readonly tags: readonly string[];
  readonly cpu: string;
  readonly cores: number;
  readonly memory: number;
  readonly os: string;
  readonly owner?: string;
  readonly inUse?: readonly (readonly [from: number, to: number])[];
  /** Hours before now at which it is last heard. */
  readonly silentFrom?: number;
  readonly diskFull?: number;
};

export type Fate = { readonly failure: Failure } | { readonly minutes: number };

export type MadeNodeNeeds = {
  readonly computer: MadeComputer;
  readonly joinToken: string;
  /** What the farm told it when it was there before: it comes back as the same node. */
  readonly known?: NodeKey | undefined;
  readonly clock: Pick<Clock, "now" | "after">;
  readonly tools: Tools;
  readonly end: number;
  /** What becomes of an assignment on that node. */
  readonly fateOf: (assignment: Assignment, computer: MadeComputer) => Fate;
  readonly factsOf: (uri: string) => MediaFacts;
  readonly random: () => number;
};

/** By what the farm knows a node again. */
export type NodeKey = { readonly nodeId: number; readonly nodeKey: string };

type Held = { readonly assignment: Assignment; begun: number; readonly lasts: number; intent?: Intent; lines: number };
const hour = 3_600_000;

/** A node over the real protocol whose work takes the time of a made clock and makes nothing. */
export const startMadeNode = (needs: MadeNodeNeeds) => {
  const { computer, clock, end } = needs;
  const held = new Map<string, Held>();
  const socket = new WebSocket(decodeJoinToken(needs.joinToken).url, { perMessageDeflate: false });
  const silentAt = computer.silentFrom === undefined ? Number.POSITIVE_INFINITY : end - computer.silentFrom * hour;
  const isSilent = () => clock.now() >= silentAt;
  const send = (message: AgentMessage): void => {
    if (socket.readyState === WebSocket.OPEN && !isSilent()) socket.send(JSON.stringify(message));
  };

  const assign = (assignment: Assignment): void => {
    const fate = needs.fateOf(assignment, computer);
    const lasts = "minutes" in fate ? fate.minutes * 60_000 : 20_000 + needs.random() * 60_000;
    const found: Held = { assignment, begun: clock.now(), lasts, lines: 0 };
    held.set(fenceKey(assignment.fence), found);
    send({ type: "started", fence: assignment.fence });
    clock.after(lasts, () => {
      if (held.get(fenceKey(assignment.fence)) !== found) return;
      if ("failure" in fate) return report(found, fate.failure);
      found.intent = intentOf(assignment, needs.random);
      if (found.intent.files.length === 0) return report(found);
      send({ type: "commit", fence: assignment.fence, intent: found.intent });
    });
  };

  const report = (found: Held, failure?: Failure): void => {
    const { assignment, lasts, intent } = found;
    const { fence, taskId } = assignment;
    const stats = { wallMs: lasts, cpuMs: lasts * 3, peakMemory: 1.4e9 };
    const outcome = failure
      ? ({ outcome: "failed", failure } as const)
      : ({ outcome: "published", published: publishedOf(assignment, intent, needs.factsOf) } as const);
    send({ type: "report", report: { fence, taskId, outcome, stats, log: logOf(found, clock.now(), failure) } });
  };

  const standing = (): Standing => {
    const ago = (end - clock.now()) / hour;
    const isUsed = computer.inUse?.some(([from, to]) => ago <= from && ago > to) ?? false;
    const busy = Math.min(1, held.size / Math.max(1, computer.slots));
    const load = {
      cpu: Math.min(0.98, 0.04 + 0.86 * busy + 0.06 * needs.random() + (isUsed ? 0.3 : 0)),
      farmCpu: 0.8 * busy,
      memoryUsed: computer.memory * (0.2 + 0.5 * busy),
      memory: computer.memory,
      disk: { free: (1 - (computer.diskFull ?? 0.35 + 0.3 * busy)) * 2e12, total: 2e12 },
      ...(computer.tags.includes("nvenc") && { gpu: 0.97 * busy }),
    };
    if ((computer.diskFull ?? 0) > 0.9)
      return {
        ...{ state: "diskLow", why: "Scratch disk is 96 % full. Resumes by itself below 85 %: 212 GB to free.", load },
        ...{ until: null, takes: false, isSuspended: false },
      };
    if (isUsed)
      return {
        ...{
          state: "inUse",
          why: `In use by ${computer.owner ?? "its owner"}. Lends again after 5 minutes away.`,
          load,
        },
        ...{ until: null, takes: false, isSuspended: false },
      };
    return { state: "lending", why: "It lends.", until: null, takes: true, isSuspended: false, load };
  };

  const beat = (): void => {
    const now = standing();
    send({ type: "heartbeat", standing: now, disk: now.load?.disk?.free });
    if (!now.takes && now.state === "inUse")
      for (const [key, { assignment }] of held) {
        held.delete(key);
        send({ type: "returned", fence: assignment.fence, why: `${computer.owner} is back` });
      }
  };

  const tellProgress = (): void => {
    for (const { assignment, begun, lasts } of held.values()) {
      const share = Math.min(0.99, (clock.now() - begun) / lasts);
      const speed = 0.3 + 3 * share * (1 - share);
      send({
        type: "progress",
        fence: assignment.fence,
        progress: { percent: share * 100, fps: 8.2 + share, speed: Math.round(speed * 100) / 100 },
      });
    }
  };

  const welcome = Promise.withResolvers<NodeKey>();
  const isDone = ({ fence }: { readonly fence: Fence }) => held.delete(fenceKey(fence));
  socket.on("message", (data) => {
    const message: CoordinatorMessage = JSON.parse(String(data));
    if (message.type === "assign") assign(message.assignment);
    if (message.type === "granted") {
      const found = held.get(fenceKey(message.fence));
      if (found) report(found);
    }
    if (message.type === "stored" || message.type === "stale" || message.type === "cancel") isDone(message);
    if (message.type === "watch_log") {
      const found = held.get(fenceKey(message.fence));
      const text = found ? logOf(found, clock.now()) : "";
      send({ type: "log", fence: message.fence, from: message.from, left: 0, text: text.slice(message.from) });
    }
    if (message.type === "poll" && message.request.what === "folder") {
      const { folder } = message.request;
      const files = [...Array(5).keys()].map((nr) => ({
        ...{ uri: `${folder}/NEWS_0${nr + 1}.mov`, size: 4e9 + nr * 1e8, modified: end - 12 * hour + nr * hour },
      }));
      send({ type: "polled", id: message.id, response: { what: "folder", files, isLast: true } });
    }
  });
  socket.on("message", (data) => {
    const message: CoordinatorMessage = JSON.parse(String(data));
    if (message.type === "refused") welcome.reject(new Error(`${computer.name} is refused: ${message.message}`));
    if (message.type !== "welcome") return;
    welcome.resolve({ nodeId: message.nodeId, nodeKey: message.nodeKey ?? needs.known?.nodeKey ?? "" });
  });
  socket.on("close", () => welcome.reject(new Error(`${computer.name} was not let in`)));
  welcome.promise.catch(() => {}); // a farm that is not waited for may close first
  socket.on("error", () => undefined);

  const hello: Hello = {
    ...{
      type: "hello",
      protocol: protocolVersion,
      instance: `made ${computer.name}`,
      credentials: needs.known ?? { joinToken: needs.joinToken },
    },
    ...{ name: computer.name, platform: "posix", tags: [...computer.tags], slots: computer.slots, attempts: [] },
    ...{ roots: ["/mnt/projects"], mounts: [], standing: standing() },
    tools: {
      ...needs.tools,
      capabilities: [...needs.tools.capabilities, ...(computer.tags.includes("nvenc") ? ["encoder:hevc_nvenc"] : [])],
    },
    machine: {
      ...{ cpu: computer.cpu, cores: computer.cores, memory: computer.memory, disk: 1.1e12, os: computer.os },
      gpus: computer.tags.includes("nvenc") ? 1 : 0,
    },
  };
  socket.on("open", () => socket.send(JSON.stringify(hello)));
  return {
    beat,
    tellProgress,
    welcome: welcome.promise,
    /** Ends as an agent does that is told to: it gives back what it has, and says goodbye. */
    leave: () => {
      held.clear();
      send({ type: "goodbye" });
      socket.close();
    },
    close: () => socket.terminate(),
  };
};

const intentOf = ({ work, fence }: Assignment, random: () => number): Intent => ({
  files: Object.entries(work.outputs).map(([output, { folder, name, existing }]) => ({
    ...{
      output,
      temp: `${folder}/.${name}.${fenceKey(fence)}.part`,
      final: `${folder}/${name}`,
      identity: "made",
      existing,
    },
    size: Math.round(2e8 + random() * 4e8),
  })),
});

const publishedOf = (
  { work }: Assignment,
  intent: Intent | undefined,
  factsOf: (uri: string) => MediaFacts,
): Published => {
  const outputs = Object.fromEntries(
    (intent?.files ?? []).map(({ output, final, size }) => [
      output,
      [{ uri: final, size, ...(/\.(mov|mp4|mxf)$/.test(final) && { facts: factsOf(final) }) }],
    ]),
  );
  const found = Object.fromEntries(
    work.steps.flatMap((step) => {
      if (step.do !== "probe") return [];
      const uri = work.assets[step.asset]?.uri ?? "";
      const file = { uri, size: 6.3e10, modified: 5, facts: factsOf(uri) };
      return [[step.id, { unchanged: false, tool: "made", file }]];
    }),
  );
  const results = Object.fromEntries(work.steps.flatMap((step) => (step.do === "list" ? listed(step.folder) : [])));
  return { outputs, found, results };
};

/** A folder holds as many files as the number at the end of its name says. */
const listed = (folder: string) => {
  const count = Number(/(\d+)\/?$/.exec(folder)?.[1] ?? 0);
  const files = Array.from({ length: count }, (_, nr) => ({
    ...{ uri: `${folder}/${String(nr + 1).padStart(3, "0")}.mov`, size: 4e9, modified: 5 },
  }));
  return listingParts(files).map((value) => [
    value.part === 0 ? "list" : `list_${value.part}`,
    { kind: "listing" as const, value },
  ]);
};

const logOf = ({ begun, lasts }: Held, now: number, failure?: Failure): string => {
  const at = (ms: number) => new Date(begun + ms).toISOString().slice(11, 19);
  const count = Math.floor(Math.min(lasts, now - begun) / 16_000);
  const frame = (nr: number) =>
    `${at(16_000 * (nr + 1))} frame=${String(nr * 131).padStart(5)} fps=8.2 q=21.${nr % 10} size=${(nr * 3.4).toFixed(1)}MiB speed=0.34x`;
  return [
    `${at(0)} step 1/2 encode: libx264 main, preset slow`,
    `${at(900)} [warning] no mastering display, taken from the analysis`,
    ...Array.from({ length: Math.min(count, 200) }, (_, nr) => frame(nr)),
    ...(failure ? [`${at(lasts)} [error] ${failure.message}`] : []),
    "",
  ].join("\n");
};
