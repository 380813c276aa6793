import type { Asset } from "../../shared/asset.ts";
import type { Failure } from "../../shared/causes.ts";
import type { ElementSpec } from "../../shared/job.ts";
import { type ElementRunEvent, type ElementRunState, elementRunMachine } from "../../shared/state/element-run.ts";
import { next, sourcesOf } from "../../shared/state/machine.ts";
import type { Db } from "./open.ts";

export type ElementRunRow = {
  readonly uid: string;
  readonly kind: string;
  readonly spec: ElementSpec;
  readonly state: ElementRunState;
  readonly rounds: number;
  readonly assets: readonly Asset[];
  readonly failure: Failure | undefined;
};

type Raw = Omit<ElementRunRow, "spec" | "assets" | "failure"> & {
  readonly spec: string;
  readonly assets: string | null;
  readonly failure: string | null;
};

const read = (raw: Raw): ElementRunRow => ({
  ...raw,
  spec: JSON.parse(raw.spec),
  assets: JSON.parse(raw.assets ?? "[]"),
  failure: raw.failure === null ? undefined : JSON.parse(raw.failure),
});

const columns = "uid, kind, spec, state, rounds, assets, failure";

export const createElementRunStore = ({ writer, point }: Db) => {
  const insert = writer.prepare(
    "INSERT INTO element_runs (job_id, uid, position, kind, spec, state) VALUES (?, ?, ?, ?, ?, 'waiting')",
  );
  const ofJob = `SELECT ${columns} FROM element_runs WHERE job_id = ? ORDER BY position`;
  const current = writer.prepare<[number], Raw>(ofJob);
  const committed = point.prepare<[number], Raw>(ofJob);
  const move = writer.prepare(
    `UPDATE element_runs SET state = ?, assets = coalesce(?, assets), failure = coalesce(?, failure)
     WHERE job_id = ? AND uid = ? AND state IN (SELECT value FROM json_each(?))`,
  );
  const countRound = writer.prepare("UPDATE element_runs SET rounds = rounds + 1 WHERE job_id = ? AND uid = ?");

  return {
    insert: (jobId: number, position: number, spec: ElementSpec): void => {
      insert.run(jobId, spec.uid, position, spec.kind, JSON.stringify(spec));
    },
    /** Inside a commit. */
    ofJob: (jobId: number): ElementRunRow[] => current.all(jobId).map(read),
    /** Outside of one. */
    read: (jobId: number): ElementRunRow[] => committed.all(jobId).map(read),
    /** False where the event means nothing in the run's present state: someone else was first. */
    move: (
      jobId: number,
      run: ElementRunRow,
      event: ElementRunEvent,
      more: { assets?: readonly Asset[]; failure?: Failure } = {},
    ): boolean => {
      const to = next(elementRunMachine, run.state, event);
      const assets = more.assets ? JSON.stringify(more.assets) : null;
      const why = more.failure ? JSON.stringify(more.failure) : null;
      const from = JSON.stringify(sourcesOf(elementRunMachine, event));
      return to !== undefined && move.run(to, assets, why, jobId, run.uid, from).changes > 0;
    },
    countRound: (jobId: number, uid: string): void => {
      countRound.run(jobId, uid);
    },
  };
};
