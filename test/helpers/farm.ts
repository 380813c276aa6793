import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect } from "vitest";
import { type CoordinatorConfig, coordinatorConfig } from "../../coordinator/config.ts";
import type { NodeProfile, NodeRow } from "../../coordinator/db/nodes.ts";
import { type Db, openDb } from "../../coordinator/db/open.ts";
import { createStores, type Stores } from "../../coordinator/db/stores.ts";
import { beginEpoch } from "../../coordinator/epoch.ts";
import type { Connection } from "../../coordinator/nodes/registry.ts";
import { createVault } from "../../coordinator/secrets.ts";
import { assignReady } from "../../coordinator/work/assign.ts";
import { jobInfoOf } from "../../coordinator/work/info.ts";
import { resumeClock } from "../../coordinator/work/keep-time.ts";
import { openFarm } from "../../coordinator/work/open-farm.ts";
import type { AssetFile, MediaFacts } from "../../shared/asset.ts";
import type { Assignment, CoordinatorMessage, Hello, Report } from "../../shared/protocol.ts";
import type { Intent, Published } from "../../shared/work.ts";
import { createTestClock, type TestClock, turns } from "./clock.ts";

export const silentLog = pino({ level: "silent" });

/** A folder of its own for one test. */
export const aFolder = (): string => mkdtempSync(join(tmpdir(), "mediafarm-unit-"));
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** An element that probes one file. */
export const aSource = (changes: Record<string, unknown> = {}) => ({
  uid: "src",
  kind: "source",
  payload: { kind: "asset_url", payload: { storage_provider: "file", url: "file:///media/in.mov" } },
  ...changes,
});

/** An element that copies what comes in. */
export const aCopy = (changes: Record<string, unknown> = {}) => ({
  uid: "copy",
  kind: "copy",
  payload: { target: { location: { storage_provider: "file", path: "/out" } } },
  ...changes,
});

export const aConnection = (
  from: string | readonly string[],
  success: readonly string[],
  error?: readonly string[],
) => ({
  from: [from].flat().map((element) => ({ element })),
  to: { success: success.map((element) => ({ element })), error: error?.map((element) => ({ element })) },
});

/** A source that is copied. */
export const aJob = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: "a job",
  payload: { elements: [aSource(), aCopy()], connections: [aConnection("src", ["copy"])] },
  ...changes,
});

/** A job of one source alone: one task, no publication. */
export const aSmallJob = (changes: Record<string, unknown> = {}): Record<string, unknown> =>
  aJob({ payload: { elements: [aSource()] }, ...changes });

export const someFacts: MediaFacts = {
  format: "mov",
  duration: { num: 10, den: 1 },
  size: 1000,
  video: [],
  audio: [],
  others: [],
};

export const aProfile = (changes: Partial<NodeProfile> = {}): NodeProfile => ({
  name: "n1",
  platform: "posix",
  tags: [],
  slots: 2,
  roots: ["/media", "/out"],
  mounts: [],
  tools: { ffmpeg: null, ffprobe: null, capabilities: ["ffmpeg", "ffprobe"] },
  machine: { cpu: "test", cores: 2, memory: 1e9, os: "test" },
  ...changes,
});

export const aHello = (changes: Partial<Hello> = {}): Hello => ({
  type: "hello",
  protocol: 1,
  credentials: { joinToken: "right" },
  ...aProfile(),
  attempts: [],
  ...changes,
});

/** What a fake node finds of every asset that the assignment probes. */
const foundBy = ({ work }: Assignment, facts = someFacts): Published["found"] =>
  Object.fromEntries(
    work.steps.flatMap((step) =>
      step.do === "probe"
        ? [
            [
              step.id,
              { unchanged: false, tool: "probe-1", file: { ...aFile(work.assets[step.asset]?.uri ?? ""), facts } },
            ],
          ]
        : [],
    ),
  );

const aFile = (uri: string): AssetFile => ({ uri, size: 1000, modified: 5, facts: someFacts });

const outputsOf = ({ work }: Assignment): Published["outputs"] =>
  Object.fromEntries(
    Object.entries(work.outputs).map(([id, { folder, name }]) => [id, [{ uri: `${folder}/${name}`, size: 1000 }]]),
  );

/** A report that the whole of an assignment went well. */
/** The facts are those of every file that was looked at. */
export const aReport = (
  assignment: Assignment,
  { facts, ...changes }: Partial<Report> & { readonly facts?: MediaFacts } = {},
): Report => ({
  fence: assignment.fence,
  taskId: assignment.taskId,
  outcome: { outcome: "published", published: { outputs: outputsOf(assignment), found: foundBy(assignment, facts) } },
  stats: { wallMs: 10 },
  log: "",
  ...changes,
});

export const aFailure = (assignment: Assignment, cause: "media" | "storage" | "resources" = "media"): Report =>
  aReport(assignment, { outcome: { outcome: "failed", failure: { cause, message: `${cause} broke` } } });

export const anIntent = ({ work }: Assignment): Intent => ({
  files: Object.entries(work.outputs).map(([output, { folder, name, existing }]) => ({
    output,
    temp: `${folder}/.${name}`,
    final: `${folder}/${name}`,
    size: 1000,
    identity: "id",
    existing,
  })),
});

/** Records what a node is told. */
export const aRecordingConnection = () => {
  const heard: CoordinatorMessage[] = [];
  const state = { isClosed: false };
  const connection: Connection = {
    send: (message) => {
      heard.push(message);
    },
    close: () => {
      state.isClosed = true;
    },
  };
  return { heard, state, connection };
};

export type TestFarm = Awaited<ReturnType<typeof openTestFarm>>;

/** A farm on a real database in a folder, with a hand-moved clock. `close` ends it; the folder stays for a restart. */
export const openTestFarm = async (
  folder: string,
  options: { readonly clock?: TestClock; readonly config?: Partial<CoordinatorConfig> } = {},
) => {
  const clock = options.clock ?? createTestClock();
  const config = coordinatorConfig.parse({ dataDir: folder, ...options.config });
  const db = openDb(folder, clock);
  const stores = createStores(db);
  const vault = createVault(folder);
  const epoch = await beginEpoch(db, stores, clock);
  const farm = await openFarm({
    config,
    clock: resumeClock(clock, stores),
    random: () => 0,
    log: silentLog,
    db,
    stores,
    vault,
    epoch,
  });
  const events: string[] = [];
  farm.events.subscribe(({ event }) => events.push(event.type));

  const connect = (row: NodeRow) => {
    const { heard, state, connection } = aRecordingConnection();
    farm.registry.connect(row, connection, clock.monotonic());
    assignReady(farm);
    return aNodeOf(row.id, heard, state, connection);
  };

  return {
    farm,
    clock,
    folder,
    events,
    /** A node that is enrolled and connected. */
    node: async (changes: Partial<NodeProfile> = {}) =>
      connect(await db.commit(() => stores.nodes.insert("hash", aProfile(changes), clock.now()))),
    connect: (id: number) => connect(stores.nodes.get(id) as NodeRow), // the test knows that it is enrolled
    /** What the API says of a job. */
    job: (id: number) => {
      const row = stores.jobs.read(id);
      if (!row) return undefined;
      const { status, substatus, progress, error } = jobInfoOf(row, farm.progress);
      return { status, substatus, progress, error };
    },
    tasks: (id: number) => stores.tasks.readOfJob(id).map(({ uid, purpose, state }) => `${uid} ${purpose} ${state}`),
    close: async () => {
      await turns();
      const known = await db.commit(() => jobIds(db).map((id) => whatIsKnown(stores, id)));
      const stored = jobIds(db).map((id) => whatIsStored(stores, id));
      await db.close();
      expect(known).toEqual(stored);
    },
  };
};

const jobIds = ({ writer }: Db): number[] =>
  writer
    .prepare<[], { id: number }>("SELECT id FROM jobs ORDER BY id")
    .all()
    .map(({ id }) => id);

/** Decisions are taken on the one, the other is the truth: after every story they are the same. */
const whatIsKnown = ({ jobs, tasks, elementRuns }: Stores, id: number) => ({
  row: jobs.get(id),
  tasks: tasks.ofJob(id),
  runs: elementRuns.ofJob(id),
});
const whatIsStored = ({ jobs, tasks, elementRuns }: Stores, id: number) => ({
  row: jobs.read(id),
  tasks: tasks.readOfJob(id),
  runs: elementRuns.read(id),
});

const aNodeOf = (id: number, heard: CoordinatorMessage[], state: { isClosed: boolean }, connection: Connection) => ({
  id,
  heard,
  state,
  connection,
  /** Everything it was told since the last look. */
  take: async (): Promise<CoordinatorMessage[]> => {
    await turns();
    return heard.splice(0);
  },
  /** The one assignment that it was given since the last look. */
  assigned: async (): Promise<Assignment> => {
    await turns();
    const messages = heard.splice(0);
    expect(messages.map(({ type }) => type)).toEqual(["assign"]);
    const [message] = messages;
    if (message?.type !== "assign") throw new Error("nothing was assigned");
    return message.assignment;
  },
});
