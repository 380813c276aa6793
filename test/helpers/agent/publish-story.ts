import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createAttempts } from "../../../agent/attempt/attempts.ts";
import { openOutbox } from "../../../agent/attempt/outbox.ts";
import { createRecords } from "../../../agent/attempt/records.ts";
import type { CheckpointName } from "../../../agent/checkpoint.ts";
import { namesIn } from "../../../agent/disk/numbered-names.ts";
import { openWorkdir } from "../../../agent/disk/workdir.ts";
import { silentLog } from "../../../agent/log.ts";
import { createStorageViews } from "../../../agent/paths/storage-view.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { pathToUri } from "../../../shared/files/location.ts";
import type { AgentMessage, Assignment, Fence, Report } from "../../../shared/protocol/messages.ts";
import type { Intent, Output } from "../../../shared/work/work.ts";
import { aFolder, fenceOf, noRemotes } from "./agent-fixture.ts";
import { noServices } from "./services.ts";
import { type TestStorage, type TestStorageKind, testStorages } from "./storages.ts";

export type Story = Awaited<ReturnType<typeof aPublishStory>>;

type LifeOptions = {
  /** Which node it is; its disk is found again by this name. */
  readonly name?: string;
  /** Dies when this is passed for the given time. */
  readonly dies?: CheckpointName;
  readonly turn?: number;
  /** Something that happens at that moment, before it dies. */
  readonly at?: Partial<Record<CheckpointName, () => Promise<void>>>;
  readonly grants?: boolean;
};

/** One for all: what a life had open stays open, as the collector of garbage would complain about it. */
const forever = new Promise<never>(() => undefined);

/** One storage, and nodes that publish there: the agent's own parts but for its programs and its line. */
export const aPublishStory = async (kind: TestStorageKind) => {
  const folder = await aFolder();
  const storage: TestStorage = await testStorages[kind](folder.path);
  await mkdir(join(folder.path, "root"), { recursive: true });

  /** A node from its start until it dies or the test ends. */
  const life = async ({ name = "one", dies, turn = 1, at = {}, grants = true }: LifeOptions = {}) => {
    let left = turn;
    const dead = Promise.withResolvers<void>();
    const said: AgentMessage[] = [];
    let listen = (): void => undefined;
    const checkpoint = async (point: CheckpointName): Promise<void> => {
      await at[point]?.();
      if (point !== dies || --left > 0) return;
      dead.resolve();
      await forever; // nothing more comes of this life
    };
    const workdir = await openWorkdir(join(folder.path, name));
    const viewOf = createStorageViews({
      own: [],
      ...{ roots: [join(folder.path, "root")], current: () => [], flavour: "posix", checkpoint, ...noRemotes },
      providers: { [storage.scheme]: storage.provider },
    });
    const attempts = createAttempts({
      ...{ viewOf, clock: systemClock, checkpoint, log: silentLog, limit: 10 },
      services: noServices,
      tools: {
        probeBuild: "none",
        ffmpeg: make,
        packager: nobodyLooks,
        fdkaac: nobodyLooks,
        probe: nobodyLooks,
        frames: nobodyLooks,
      },
      records: createRecords({ folder: workdir.attempts, farmId: "farm", viewOf }),
      outbox: await openOutbox({ folder: workdir.outbox, log: silentLog, clock: systemClock }),
      confirm: async () => undefined,
      send: (message) => {
        said.push(message);
        if (message.type === "commit" && grants) attempts.granted(message.fence);
        listen();
      },
    });
    const hear = <T>(find: () => T | undefined): Promise<T> =>
      new Promise((resolve) => {
        listen = () => {
          const found = find();
          if (found !== undefined) resolve(found);
        };
        listen();
      });
    await attempts.recover();
    return {
      attempts,
      dead: dead.promise,
      /** What the coordinator would answer to all that the node holds: go on. */
      resume: () => {
        const listed = attempts.statuses();
        return attempts.resume({ listed, keep: listed.map(({ fence }) => fence) });
      },
      intent: (): Promise<Intent> => hear(() => said.findLast((each) => each.type === "commit")?.intent),
      /** Resolves when it has asked for so many grants. */
      commits: (count: number): Promise<true> =>
        hear(() => said.filter(({ type }) => type === "commit").length >= count || undefined),
      /** How an attempt ended; the report is taken. */
      report: async (fence: Fence): Promise<Report> => {
        const report = await hear(() => {
          const found = said.find((each) => each.type === "report" && each.report.fence.counter === fence.counter);
          return found?.type === "report" ? found.report : undefined;
        });
        await attempts.reportStored(fence);
        return report;
      },
    };
  };

  const temp = join(folder.path, "root", "temp");
  return {
    ...storage,
    life,
    /** The address of a folder of the node, and what lies there. */
    temp: pathToUri(temp, "posix"),
    temps: () => namesIn(temp),
    at: (name: string) => join(folder.path, name),
    end: () => folder.remove(),
  };
};

/** Plays ffmpeg: `NAME=TEXT` words are written below the folder, or the text to the file, that comes last. */
const make = async ({ args }: { readonly args: readonly string[] }) => {
  const [target = "", ...words] = [...args].reverse();
  for (const word of words.reverse()) {
    const [name = "", text = ""] = word.split("=");
    const path = name === "" ? target : join(dirname(target), name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return { exitCode: 0, signal: null, stdout: "", stderrTail: "", timedOut: false, wallMs: 1, cpuMs: 1, peakMemory: 1 };
};

type Ask = {
  readonly folder: string;
  readonly counter?: number;
  readonly words?: readonly string[];
  readonly output?: Partial<Output>;
  readonly previousIntent?: Intent;
};

/** A task that writes one file, or many. */
export const toPublish = ({ folder, counter = 1, words = ["=ours"], output, previousIntent }: Ask): Assignment => ({
  ...{ fence: fenceOf(counter), taskId: counter, name: "a task", previousIntent: previousIntent ?? null },
  work: {
    assets: {},
    outputs: { main: { version: "v", folder, name: "a.mp4", isSequence: false, existing: "fail", ...output } },
    steps: [{ do: "ffmpeg", id: "make", argv: [...words, { out: "main" }] }],
  },
});

const nobodyLooks = () => Promise.reject(new Error("nobody looks"));
