import { once } from "node:events";
import { WebSocket } from "ws";
import { listingParts } from "../../media/results/listing.ts";
import { decodeJoinToken } from "../../shared/credentials/join-token.ts";
import type { StepResult } from "../../shared/model/step-result.ts";
import type { Assignment, CoordinatorMessage, Hello, Report } from "../../shared/protocol/messages.ts";
import { protocolVersion } from "../../shared/protocol/messages.ts";

/** Nodes that do nothing: each answers an assignment with its report at once, over a real socket. */
export type QuickNodes = AsyncDisposable & {
  /** Resolves when so many reports were taken since the nodes came. */
  readonly taken: (count: number) => Promise<void>;
};

export const startQuickNodes = async (joinToken: string, count: number): Promise<QuickNodes> => {
  const waiting = new Set<{ readonly count: number; readonly done: () => void }>();
  let total = 0;
  const onTaken = (): void => {
    total += 1;
    for (const each of waiting) if (total >= each.count) each.done();
  };
  const sockets = [...Array(count).keys()].map((nr) => openNode(joinToken, `quick-${nr}`, onTaken));
  await Promise.all(sockets.map((socket) => once(socket, "open")));
  return {
    taken: (wanted) =>
      new Promise((resolve) => {
        if (total >= wanted) return resolve();
        waiting.add({ count: wanted, done: resolve });
      }),
    // Said goodbye to and heard to close: jobs of the next round must not be given to nodes that are gone.
    [Symbol.asyncDispose]: async () => {
      const gone = sockets.map((socket) => once(socket, "close"));
      for (const socket of sockets) {
        socket.send(JSON.stringify({ type: "goodbye" }));
        socket.close();
      }
      await Promise.all(gone);
    },
  };
};

const openNode = (joinToken: string, name: string, onTaken: () => void): WebSocket => {
  const socket = new WebSocket(decodeJoinToken(joinToken).url, { perMessageDeflate: false });
  socket.on("open", () => socket.send(JSON.stringify(helloOf(joinToken, name))));
  socket.on("message", (data) => {
    const message: CoordinatorMessage = JSON.parse(String(data));
    if (message.type === "assign")
      socket.send(JSON.stringify({ type: "report", report: reportOf(message.assignment) }));
    if (message.type === "stored") onTaken();
  });
  return socket;
};

const helloOf = (joinToken: string, name: string): Hello => ({
  type: "hello",
  protocol: protocolVersion,
  credentials: { joinToken },
  name,
  platform: "posix",
  tags: [],
  slots: 2,
  roots: ["/media"],
  mounts: [],
  tools: { ffmpeg: null, ffprobe: null, capabilities: ["ffmpeg", "ffprobe"] },
  machine: { cpu: "none", cores: 2, memory: 1e9, os: "none" },
  attempts: [],
});

const facts = { format: "mov", duration: { num: 10, den: 1 }, size: 1000, video: [], audio: [], others: [] };

/** A folder holds as many files as the number at the end of its name says. */
const listed = (folder: string) => {
  const count = Number(/(\d+)\/?$/.exec(folder)?.[1] ?? 0);
  const files = Array.from({ length: count }, (_, nr) => ({
    ...{ uri: `${folder}/${String(nr).padStart(6, "0")}.mov`, size: 1000, modified: 5 },
  }));
  return listingParts(files).map((value): [string, StepResult] => [
    value.part === 0 ? "list" : `list_${value.part}`,
    { kind: "listing", value },
  ]);
};

/** What a probe found of every asset, the same each time. */
const reportOf = ({ fence, taskId, work }: Assignment): Report => {
  const found = work.steps.flatMap((step) => {
    if (step.do !== "probe") return [];
    const file = { uri: work.assets[step.asset]?.uri ?? "", size: 1000, modified: 5, facts };
    return [[step.id, { unchanged: false, tool: "none", file }]];
  });
  const results = Object.fromEntries(work.steps.flatMap((step) => (step.do === "list" ? listed(step.folder) : [])));
  const published = { outputs: {}, found: Object.fromEntries(found), results };
  return { fence, taskId, outcome: { outcome: "published", published }, stats: { wallMs: 1 }, log: "" };
};
