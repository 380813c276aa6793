import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect } from "vitest";
import type { z } from "zod";
import { coordinatorConfig } from "../../../coordinator/config.ts";
import { epochAtLeast } from "../../../coordinator/coordinator.ts";
import type { Farm } from "../../../coordinator/farm.ts";
import { resumeClock } from "../../../coordinator/keep-time.ts";
import type { Transaction } from "../../../coordinator/kernel/transaction.ts";
import type { LiveProgress } from "../../../coordinator/live/progress.ts";
import type { Log } from "../../../coordinator/log.ts";
import type { Connection } from "../../../coordinator/nodes/node-entry.ts";
import { openFarm } from "../../../coordinator/open-farm.ts";
import { createVault } from "../../../coordinator/secrets/vault.ts";
import { soundHealth } from "../../../coordinator/store/health-row.ts";
import type { NodeProfile, NodeRow } from "../../../coordinator/store/rows.ts";
import { openSqlite } from "../../../coordinator/store/sqlite/open.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import { buildJobInfo } from "../../../coordinator/views/job-info.ts";
import { openOutbox } from "../../../coordinator/webhooks/outbox.ts";
import { listingParts } from "../../../media/results/listing.ts";
import type { AssetFile, MediaFacts } from "../../../shared/model/asset.ts";
import type { Assignment, CoordinatorMessage, Fence, Hello, Report } from "../../../shared/protocol/messages.ts";
import { fenceKey, protocolVersion } from "../../../shared/protocol/messages.ts";
import type { Intent, Published } from "../../../shared/work/work.ts";
import { createTestClock, type TestClock, turns } from "../clock.ts";
import { audited, inEssence, isAsStored, loaded } from "./audited-store.ts";
import { stored } from "./stored.ts";

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

/** The run of the agent that all fake nodes are of, unless a test says otherwise. */
const aRun = "run 1";

export const aHello = (changes: Partial<Hello> = {}): Hello => ({
  type: "hello",
  protocol: protocolVersion,
  instance: aRun,
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

/** A report of what a `list` step found. */
export const aListing = (assignment: Assignment, uris: readonly string[]): Report => {
  const files = uris.map((uri) => ({ uri, size: 1000, modified: 5 }));
  const results = Object.fromEntries(
    listingParts(files).map((value) => [value.part === 0 ? "list" : `list_${value.part}`, { kind: "listing", value }]),
  );
  return aReport(assignment, { outcome: { outcome: "published", published: { outputs: {}, found: {}, results } } });
};

/** A report that the whole of an assignment went well. The facts are those of every file that was looked at. */
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

export const aFailure = (
  assignment: Assignment,
  cause: "media" | "storage" | "resources" | "source" = "media",
): Report => aReport(assignment, { outcome: { outcome: "failed", failure: { cause, message: `${cause} broke` } } });

/** Where an attempt's file waits for its grant. */
export const waitingFor = (final: string, fence: Fence): string =>
  `${final.replace(/([^/]*)$/, ".$1")}.${fenceKey(fence)}.part`;

export const anIntent = ({ work, fence }: Assignment): Intent => ({
  files: Object.entries(work.outputs).map(([output, { folder, name, existing }]) => ({
    output,
    temp: waitingFor(`${folder}/${name}`, fence),
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
  options: {
    readonly clock?: TestClock;
    readonly config?: Partial<z.input<typeof coordinatorConfig>>;
    readonly wrap?: (store: Store) => Store;
    /** Memory is compared with the store after every batch, unless it is said not to be. */
    readonly isAudited?: boolean;
    readonly log?: Log;
  } = {},
) => {
  const clock = options.clock ?? createTestClock();
  const config = coordinatorConfig.parse({ dataDir: folder, ...options.config });
  const wrong: unknown[] = [];
  let opened: Farm | undefined;
  const store = (options.wrap ?? ((each) => each))(
    audited(
      openSqlite(folder),
      (id) => !opened || options.isAudited === false || isAsStored(opened, id),
      (ids) => wrong.push(...ids),
    ),
  );
  const { epoch } = await store.lead(epochAtLeast(clock));
  const around = { clock: await resumeClock(clock, store), epoch, store, vault: createVault(folder) };
  const outbox = await openOutbox(around);
  const log = options.log ?? silentLog;
  const hearing: ((draft: Transaction) => void)[] = [];
  const tellOf = (draft: Transaction, progress: LiveProgress): void => {
    outbox.tellOf(draft, progress);
    for (const hear of hearing) hear(draft);
  };
  const farm = await openFarm({ ...around, config, random: () => 0, log, tellOf });
  opened = farm;
  const events: string[] = [];
  farm.events.subscribe(({ event }) => events.push(event.type));

  const connect = (row: NodeRow) => {
    const { heard, state, connection } = aRecordingConnection();
    farm.registry.connect(row, connection, clock.monotonic(), aRun);
    farm.wake();
    return aNodeOf(row.id, heard, state, connection);
  };

  return {
    farm,
    clock,
    folder,
    events,
    outbox,
    /** Is called at the end of every decision, within it. */
    onDecision: (hear: (draft: Transaction) => void): void => void hearing.push(hear),
    /** A node that is enrolled and connected. */
    node: async (changes: Partial<NodeProfile> = {}) => connect(await enrol(farm, aProfile(changes))),
    connect: (id: number) => connect(farm.values.nodes.get(id) as NodeRow), // the test knows that it is enrolled
    /** What the API says of a job. */
    job: (id: number) => {
      const row = stored(farm).job(id);
      if (!row) return undefined;
      const { status, substatus, progress, error } = buildJobInfo(row, farm.progress);
      return { status, substatus, progress, error };
    },
    tasks: (id: number) =>
      stored(farm)
        .tasks(id)
        .map(({ uid, purpose, state }) => `${uid} ${purpose} ${state}`),
    close: async () => {
      await turns();
      farm.jobStarter.end();
      farm.jobReader.stop();
      await farm.settle();
      const known = [...farm.values.allJobs()].filter(({ row }) => row);
      const ids = known.map(({ id }) => id);
      const truth = await Promise.all(ids.map((id) => loaded(store, id)));
      expect(known.map(inEssence)).toEqual(truth.map(inEssence));
      await store.close();
      expect(wrong).toEqual([]);
    },
  };
};

/** A node that the farm knows, and that never said hello. */
export const enrol = (farm: Farm, profile: NodeProfile, keyHash = "hash"): Promise<NodeRow> =>
  farm.change([], (draft) =>
    draft.insertNode({
      ...{
        keyHash,
        left: null,
        lost: null,
        state: "active",
        profile,
        ownTags: null,
        ownSlots: null,
        enrolled: farm.clock.now(),
        joinedBy: null,
      },
      ...{ lastSeen: farm.clock.now(), revoked: null, health: soundHealth, group: null },
    }),
  );

/** Gives a node another key. */
export const rekey = (farm: Farm, nodeId: number, keyHash: string): Promise<NodeRow> =>
  farm.change([], (draft) => draft.setNode(draft.node(nodeId) as NodeRow, { keyHash })); // the test knows that it is enrolled

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
