import type { Assignment, CoordinatorMessage, Fence, Hello, Outcome } from "../../shared/protocol/messages.ts";
import { protocolVersion } from "../../shared/protocol/messages.ts";
import type { Intent } from "../../shared/work/work.ts";
import type { randomFrom } from "../helpers/random/random.ts";
import { openLine } from "../stress/line.ts";

export type LiarNeeds = {
  readonly url: string;
  readonly joinToken: string;
  /** What it claims its tools can do. */
  readonly capabilities: readonly string[];
  readonly random: ReturnType<typeof randomFrom>;
};

/** A node that makes nothing of what it is given, and says otherwise. `end` leaves without a word. */
export const startLiar = ({ url, joinToken, capabilities, random }: LiarNeeds) => {
  const granted = new Map<string, () => void>();
  let lies = 0;

  const report = ({ fence, taskId }: Assignment, outcome: Outcome): void => {
    lies += 1;
    line.send({ type: "report", report: { fence, taskId, outcome, stats: { wallMs: 1 }, log: "all is well\n" } });
  };

  const lie: Readonly<Record<string, (assignment: Assignment) => void>> = {
    "shows what it was never granted": (assignment) => report(assignment, publishedAs(intentOf(assignment))),
    "shows something else than it was granted": (assignment) => {
      const intent = intentOf(assignment);
      granted.set(keyOf(assignment.fence), () => report(assignment, publishedAs(elsewhere(intent))));
      line.send({ type: "commit", fence: assignment.fence, intent });
    },
    "speaks for others": (assignment) => {
      for (const counter of [-2, -1, 1].map((step) => assignment.fence.counter + step)) {
        const fence = { ...assignment.fence, counter };
        line.send({ type: "commit", fence, intent: intentOf(assignment) });
        report({ ...assignment, fence }, publishedAs(intentOf(assignment)));
      }
      report(assignment, refusal);
    },
    "speaks for the future": (assignment) => {
      const fence = { ...assignment.fence, epoch: assignment.fence.epoch + 1 };
      report({ ...assignment, fence }, publishedAs(intentOf(assignment)));
      report(assignment, refusal);
    },
    "is granted and never seen again": (assignment) =>
      line.send({ type: "commit", fence: assignment.fence, intent: intentOf(assignment) }),
    babbles: (assignment) => {
      line.sendRaw('{"type":"report","report":{}}');
      report(assignment, refusal);
    },
  };

  const hear = (message: CoordinatorMessage): void => {
    if (message.type === "granted") granted.get(keyOf(message.fence))?.();
    if (message.type !== "assign") return;
    const { assignment } = message;
    // What is found out of a source has to be believed: who looks at it is asked for something else.
    if (Object.keys(assignment.work.outputs).length === 0) report(assignment, refusal);
    else lie[random.one(Object.keys(lie))]?.(assignment);
  };

  const line = openLine({
    url,
    hello: () => introduction(joinToken, capabilities),
    onMessage: hear,
    onNonsense: () => undefined,
    patience: () => 100,
  });
  return { lies: () => lies, end: line.end };
};

const introduction = (joinToken: string, capabilities: readonly string[]): Hello => ({
  type: "hello",
  protocol: protocolVersion,
  credentials: { joinToken },
  name: "liar",
  platform: "posix",
  tags: [],
  slots: 2,
  roots: ["/"],
  mounts: [],
  tools: { ffmpeg: null, ffprobe: null, capabilities: [...capabilities] },
  machine: { cpu: "none", cores: 8, memory: 64e9, os: "none" },
  attempts: [],
});

const keyOf = ({ epoch, counter }: Fence): string => `${epoch}.${counter}`;

const refusal: Outcome = { outcome: "failed", failure: { cause: "machine", message: "The liar did not feel like it" } };

const intentOf = ({ work, fence }: Assignment): Intent => ({
  files: Object.entries(work.outputs).map(([output, { folder, name, existing }]) => ({
    output,
    temp: `${folder}/.${name}.${keyOf(fence)}.part`,
    final: `${folder}/${name}`,
    size: 1000,
    identity: "a lie",
    existing,
  })),
});

const elsewhere = ({ files }: Intent): Intent => ({
  files: files.map((file) => ({ ...file, final: `${file.final}.other` })),
});

const publishedAs = ({ files }: Intent): Outcome => ({
  outcome: "published",
  published: {
    outputs: Object.fromEntries(files.map(({ output, final, size }) => [output, [{ uri: final, size }]])),
    found: {},
  },
});
