import type { Change } from "../../../../coordinator/store/batch.ts";
import { soundHealth } from "../../../../coordinator/store/health-row.ts";
import { type NodeRow, type TaskRow, waitingRun } from "../../../../coordinator/store/rows.ts";
import type { Store } from "../../../../coordinator/store/store.ts";
import type { Published } from "../../../../shared/work/work.ts";
import { aDefinition, aJobRow, aTaskRow, inserted, insertedTask, leading } from "../../../helpers/farm/batches.ts";
import { aProfile } from "../../../helpers/farm/farm.ts";

const spec = (uid: string, kind: string) => ({
  ...{ uid, kind, name: `${uid}'s name`, payload: { a: 1 }, tags: [], priority: 5 },
  retry: { count: 0, delaySec: 0 },
});
export const elements = [spec("src", "source"), spec("list", "folder_enum"), spec("last", "copy")];
export const connections = [{ from: ["src"], success: ["list"], error: [] }];
export const failure = { cause: "media", message: "broken" } as const;
export const file = (name: string) => ({ uri: `file:///out/${name}`, size: 10, modified: 1000 });
const published: Published = {
  outputs: { a: [file("1.mov"), file("2.mov")], b: [{ uri: "file:///out/3.mov" }] },
  results: { loudness: {} },
} as unknown as Published; // results of a kind that only its reader knows
export const work = { assets: {}, outputs: { a: { version: "named" } }, steps: [{ do: "run", duration: 12.5 }] };

/** Job 1: an enumeration that found five files, a task that published, and one that failed; job 2 waits. */
const changes = (): Change[] => [
  ...inserted(
    aJobRow(1, { status: "active", substatus: "running", begun: 1, owner: "Ana" }),
    aDefinition({ definition: '{"a":1}', elements, connections, warnings: ["w"] }),
  ),
  ...inserted(aJobRow(2, { owner: "Ben" }), aDefinition({ elements: [spec("src", "source")] })),
  { table: "nodes", key: [7], before: undefined, after: node },
  run("src", { state: "failed", failure }),
  run("list", { state: "succeeded", batches: { task: 1, files: 5, size: 2 } }),
  aTask({ id: 1, state: "completed", attempt: 11, purpose: "work", weight: "full", published }),
  aTask({ id: 2, state: "failed", attempt: 12, failure }),
  aTask({ id: 3, priority: 9 }),
  attempt(11, 1, "published", { stats: { wallMs: 40 }, log: "a log" }),
  attempt(12, 2, "failed", { failure }),
];

export const node: NodeRow = {
  ...{ id: 7, keyHash: "k", state: "active", profile: aProfile({ name: "seven" }), ownTags: null, ownSlots: null },
  ...{ enrolled: 1, joinedBy: null, lastSeen: 2, left: 3, lost: 4, revoked: null, health: soundHealth, group: null },
};

const run = (uid: string, state: object): Change => {
  const after = { ...waitingRun(spec(uid, uid === "src" ? "source" : "folder_enum")), ...state };
  return { table: "runs", key: [1, uid, ""], before: undefined, after, job: 1 };
};

const aTask = ({ id, ...more }: Partial<TaskRow> & { readonly id: number }) =>
  insertedTask(aTaskRow(id, 1, more), { work });

const attempt = (
  counter: number,
  task_id: number,
  state: "published" | "failed",
  more: Record<string, unknown>,
): Change => ({
  ...{ table: "attempts", key: [counter], before: undefined, job: 1, more },
  after: { counter, epoch: 1, task_id, job_id: 1, node_id: 7, state, assigned: 100, ended: 200 },
});

/** Leads the store and fills it. */
export const filled = async (store: Store): Promise<Awaited<ReturnType<typeof leading>>> => {
  const lead = await leading(store);
  await lead.write(changes());
  return lead;
};
