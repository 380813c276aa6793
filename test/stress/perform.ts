import { setTimeout as pause } from "node:timers/promises";
import {
  type AgentMessage,
  type Assignment,
  type Fence,
  fenceKey,
  type Outcome,
  type Report,
} from "../../shared/protocol/messages.ts";
import type { Intent, IntentFile, Published } from "../../shared/work/work.ts";
import type { FakeHeld, FakeNodeNeeds } from "./fake-node.ts";
import { type Act, type Blow, chooseAct, chooseBlow, someFailure } from "./troubles.ts";

type Stage = Pick<FakeNodeNeeds, "random" | "disk" | "book" | "isCalm" | "workMs"> & {
  readonly send: (message: AgentMessage) => void;
  readonly sendRaw: (text: string) => void;
  /** Something befalls the node. */
  readonly strike: (blow: Blow) => void;
  readonly holds: (fence: Fence) => boolean;
  /** Resolves at once unless the machine stands still. */
  readonly awake: () => Promise<void>;
};

/** One attempt as a real agent runs it, with what may go wrong in between. */
export const perform = async (held: FakeHeld, stage: Stage): Promise<void> => {
  const act = stage.isCalm() ? "works" : chooseAct(stage.random);
  stage.book.count(act);
  if (held.state === "verified" && held.intent) return publish(held, held.intent, stage, act);
  for (const percent of [0, 50]) {
    await pause(stage.random.integer(0, stage.workMs));
    if (await isOver(held, stage)) return;
    say(held, stage, act, { type: "progress", fence: held.assignment.fence, progress: { percent } });
  }
  if (act === "steals") steal(stage);
  if (act === "babbles") stage.sendRaw('{"type":"nonsense"}');
  if (act === "fails") return report(held, stage, act, someFailure(stage.random));
  if (act === "refuses") return report(held, stage, act, refusal);
  // Of what an earlier attempt was granted nobody but the disk knows whether it is published: that lie cannot be told.
  if (act === "liesUngranted" && held.assignment.previousIntent === null)
    return report(held, stage, act, publishedAs(held.assignment, anIntent(held.assignment)));
  const previous = takeOver(held.assignment, stage);
  if (previous === "published")
    return report(held, stage, act, publishedAs(held.assignment, held.assignment.previousIntent));
  const intent =
    previous === "ready" && held.assignment.previousIntent ? held.assignment.previousIntent : anIntent(held.assignment);
  held.intent = intent;
  if (previous !== "ready") for (const file of intent.files) stage.disk.make(file);
  await publish(held, intent, stage, act);
};

const refusal: Outcome = { outcome: "failed", failure: { cause: "resources", message: "no room" } };

/** Between two steps: the node may be struck, and the attempt may have been taken from it. */
const isOver = async (held: FakeHeld, stage: Stage): Promise<boolean> => {
  if (!held.isDropped) stage.strike(chooseBlow(stage.random));
  await stage.awake();
  return held.isDropped;
};

const publish = async (held: FakeHeld, intent: Intent, stage: Stage, act: Act): Promise<void> => {
  const { fence } = held.assignment;
  if (intent.files.length > 0) {
    held.state = "verified";
    if (await isOver(held, stage)) return;
    await granted(held, intent, stage, act);
    if (await isOver(held, stage)) return;
    for (const file of intent.files) {
      if (!stage.disk.publish(file)) return report(held, stage, act, taken(file));
    }
    stage.book.count(`published ${fence.epoch === 0 ? "never" : "files"}`);
    if (await isOver(held, stage)) return;
  }
  await report(held, stage, act, publishedAs(held.assignment, act === "liesStranger" ? strange(intent) : intent));
};

const granted = (held: FakeHeld, intent: Intent, stage: Stage, act: Act): Promise<void> =>
  new Promise((resolve) => {
    held.grant = () => {
      held.grant = undefined;
      resolve();
    };
    say(held, stage, act, { type: "commit", fence: held.assignment.fence, intent });
  });

const taken = ({ final }: IntentFile): Outcome => ({
  outcome: "failed",
  failure: { cause: "storage", message: `${final} exists already, or what was made is gone` },
});

const report = async (held: FakeHeld, stage: Stage, act: Act, outcome: Outcome): Promise<void> => {
  const { fence, taskId } = held.assignment;
  const done: Report = { fence, taskId, outcome, stats: { wallMs: 1 }, log: "stormy\n" };
  held.report = done;
  if (outcome.outcome === "published" && !act.startsWith("lies")) stage.book.finish(fence);
  held.state = "reported";
  if (await isOver(held, stage)) return;
  say(held, stage, act, { type: "report", report: done });
};

const say = ({ isDropped }: FakeHeld, { send }: Stage, act: Act, message: AgentMessage): void => {
  if (isDropped) return;
  send(message);
  if (act === "repeats") send(message);
};

/** Speaks for an attempt of somebody else's: to be answered `stale`, and to change nothing. */
const steal = ({ book, random, send, holds }: Stage): void => {
  const fence = random.one(book.recent());
  if (holds(fence)) return;
  send({ type: "commit", fence, intent: { files: [] } });
  const outcome: Outcome = { outcome: "failed", failure: { cause: "media", message: "stolen" } };
  send({ type: "report", report: { fence, taskId: 1, outcome, stats: { wallMs: 0 }, log: "" } });
};

/** What an earlier attempt was granted is rolled forward; what is left of one that is gone in part is taken away. */
const takeOver = ({ previousIntent }: Assignment, { disk }: Stage): "none" | "ready" | "published" => {
  if (!previousIntent || previousIntent.files.length === 0) return "none";
  const states = previousIntent.files.map(disk.stateOf);
  if (states.every((state) => state === "published")) return "published";
  if (!states.includes("absent")) return "ready";
  for (const [index, file] of previousIntent.files.entries()) {
    disk.remove(file);
    if (states[index] === "published" && file.existing === "fail") disk.removeShown(file);
  }
  return "none";
};

const anIntent = ({ fence, work }: Assignment): Intent => ({
  files: Object.entries(work.outputs).map(([output, { folder, name, existing }]) => ({
    output,
    temp: `${folder}/.${name}.${fenceKey(fence)}.part`,
    final: `${folder}/${name}`,
    size: 1000,
    identity: `by ${fenceKey(fence)}`,
    existing,
  })),
});

const strange = ({ files }: Intent): Intent => ({
  files: files.map((file) => ({ ...file, final: `${file.final}.other` })),
});

const publishedAs = ({ work }: Assignment, intent: Intent | null): Outcome => {
  const outputs: Published["outputs"] = {};
  for (const { output, final, size } of intent?.files ?? [])
    outputs[output] = [...(outputs[output] ?? []), { uri: final, size }];
  const found = Object.fromEntries(
    work.steps.flatMap((step) =>
      step.do === "probe"
        ? [[step.id, { unchanged: false, tool: "none", file: factsOf(work.assets[step.asset]?.uri) }]]
        : [],
    ),
  );
  return { outcome: "published", published: { outputs, found } };
};

const factsOf = (uri = "") => ({
  uri,
  size: 1000,
  modified: 5,
  facts: { format: "mov", duration: { num: 10, den: 1 }, size: 1000, video: [], audio: [], others: [] },
});
