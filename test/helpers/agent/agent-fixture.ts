import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Agent, type AgentOptions, startAgent } from "../../../agent/agent.ts";
import type { Cache } from "../../../agent/cache/index.ts";
import { passThrough } from "../../../agent/checkpoint.ts";
import { type AgentConfig, readConfig } from "../../../agent/config.ts";
import { silentLog } from "../../../agent/log.ts";
import { createStorageViews, type StorageView, type StorageViewOf } from "../../../agent/paths/storage-view.ts";
import { providers } from "../../../agent/storage/index.ts";
import { createPatience } from "../../../agent/storage/retry.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { pathToUri } from "../../../shared/files/location.ts";
import type { Assignment, Fence } from "../../../shared/protocol/messages.ts";
import type { Output, Work } from "../../../shared/work/work.ts";
import { type FakeCoordinatorOptions, startFakeCoordinator } from "./fake-coordinator.ts";
import { loopbackGuard } from "./open-guard.ts";
import { readForeign } from "./read-foreign.ts";

export const fakeFfmpeg = fileURLToPath(new URL("../fixtures/fake-ffmpeg.sh", import.meta.url));
export const fakeFfprobe = fileURLToPath(new URL("../fixtures/fake-ffprobe.sh", import.meta.url));

/** Bytes that look like a media file to the sniffer, then words that the fake ffprobe understands. */
export const media = (words = ""): string => `\0\0\0\x18ftypisom${words}`;

/** A folder of its own for one test. */
export const aFolder = async (): Promise<{ path: string; remove: () => Promise<void> }> => {
  const path = await realpath(await mkdtemp(join(tmpdir(), "mediafarm-test-")));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
};

/** Of a node that reads nothing from elsewhere. */
const noCache: Cache = {
  fetch: async () => Promise.reject(new Error("nothing is fetched here")),
  known: async () => undefined,
  release: () => undefined,
  stop: () => undefined,
};

/** What remote storage needs of a node beside the rest. */
export const noRemotes = {
  read: readForeign,
  clock: systemClock,
  hostKeys: { check: async () => "new" as const },
  guard: loopbackGuard,
  cache: noCache,
  patience: createPatience(30),
};

/** The places of a node whose one root is this folder. */
export const aStorageView = (root: string): StorageView => storageViewsOf(root)();

export const storageViewsOf = (root: string): StorageViewOf =>
  createStorageViews({
    own: [],
    roots: [root],
    current: () => [],
    flavour: "posix",
    providers,
    checkpoint: passThrough,
    ...noRemotes,
  });

export type Farm = Awaited<ReturnType<typeof aFarm>>;

/** Folders, a fake coordinator and as many starts of one agent as a test wants; `end` leaves nothing behind. */
export const aFarm = async (options: FakeCoordinatorOptions = {}) => {
  const folder = await aFolder();
  const root = join(folder.path, "root");
  const dataDir = join(folder.path, "data");
  await mkdir(join(root, "out"), { recursive: true });
  await mkdir(dataDir);
  await writeFile(join(root, "in.mp4"), media());
  const coordinators = [await startFakeCoordinator(options)];
  const agents: Agent[] = [];
  const coordinator = coordinators[0] as (typeof coordinators)[number]; // just put there
  const config: AgentConfig = readConfig({
    dataDir,
    name: "test node",
    tags: ["test"],
    slots: 2,
    roots: [root],
    joinToken: coordinator.token,
    ffmpegPath: fakeFfmpeg,
    ffprobePath: fakeFfprobe,
  });
  return {
    root,
    dataDir,
    coordinator,
    config,
    path: (name: string) => join(root, name),
    start: async (changes: Partial<AgentOptions> = {}): Promise<Agent> => {
      const base = { config, clock: systemClock, log: silentLog, pid: process.pid, random: () => 0.5 };
      const agent = await startAgent({ ...base, ...changes });
      agents.push(agent);
      return agent;
    },
    /** All that is in a folder of the root, hidden names too. */
    list: async (name = "out") => (await readdir(join(root, name))).sort(),
    anotherCoordinator: async (more: FakeCoordinatorOptions) => {
      const next = await startFakeCoordinator({ ...options, ...more });
      coordinators.push(next);
      return next;
    },
    end: async () => {
      for (const agent of agents) await agent.stop();
      for (const each of coordinators) await each.stop();
      await folder.remove();
    },
  };
};

export const fenceOf = (counter: number, epoch = 1): Fence => ({ epoch, counter });

type Ask = {
  readonly root: string;
  readonly counter?: number;
  readonly argv?: readonly string[];
  readonly output?: Partial<Output>;
  readonly work?: Partial<Work>;
  readonly previousIntent?: Assignment["previousIntent"];
};

/** One ffmpeg step that writes `out/result.mp4` by a behaviour of the fake ffmpeg. */
export const anAssignment = ({
  root,
  counter = 1,
  argv = ["write", "made"],
  output,
  work,
  previousIntent,
}: Ask): Assignment => ({
  fence: fenceOf(counter),
  taskId: counter,
  name: "a task",
  previousIntent: previousIntent ?? null,
  work: {
    assets: { in: { uri: pathToUri(join(root, "in.mp4"), "posix") } },
    outputs: {
      main: {
        version: "target",
        folder: pathToUri(join(root, "out"), "posix"),
        name: "result.mp4",
        isSequence: false,
        existing: "fail",
        ...output,
      },
    },
    steps: [{ do: "ffmpeg", id: "encode", argv: [...argv, { out: "main" }], duration: 10 }],
    ...work,
  },
});
