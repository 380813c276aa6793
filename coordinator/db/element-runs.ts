import type { Asset } from "../../shared/asset.ts";
import type { Failure } from "../../shared/causes.ts";
import type { ElementSpec } from "../../shared/job.ts";
import { type ElementRunEvent, type ElementRunState, elementRunMachine } from "../../shared/state/element-run.ts";
import { next } from "../../shared/state/machine.ts";
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

const newRun = (spec: ElementSpec): ElementRunRow => ({
  uid: spec.uid,
  kind: spec.kind,
  spec,
  state: "waiting",
  rounds: 0,
  assets: [],
  failure: undefined,
});

const columns = "uid, kind, spec, state, rounds, assets, failure";

export const createElementRunStore = ({ writer, point, memo }: Db) => {
  const insert = writer.prepare(
    "INSERT INTO element_runs (job_id, uid, position, kind, spec, state) VALUES (?, ?, ?, ?, ?, 'waiting')",
  );
  const select = `SELECT ${columns} FROM element_runs WHERE job_id = ? ORDER BY position`;
  const current = writer.prepare<[number], Raw>(select);
  const committed = point.prepare<[number], Raw>(select);
  const move = writer.prepare(
    `UPDATE element_runs SET state = ?, assets = coalesce(?, assets), failure = coalesce(?, failure)
     WHERE job_id = ? AND uid = ? AND state = ?`,
  );
  const countRound = writer.prepare("UPDATE element_runs SET rounds = rounds + 1 WHERE job_id = ? AND uid = ?");

  const ofJob = (jobId: number): readonly ElementRunRow[] => {
    const known = memo.of(jobId);
    known.runs ??= current.all(jobId).map(read);
    return known.runs;
  };
  const remember = (jobId: number, uid: string, changed: (run: ElementRunRow) => ElementRunRow): void => {
    const known = memo.of(jobId);
    const at = known.runs?.findIndex((run) => run.uid === uid) ?? -1;
    const run = known.runs?.[at];
    if (run) known.runs = known.runs?.with(at, changed(run));
  };

  return {
    /** All elements of a job that was just made. */
    insertAll: (jobId: number, specs: readonly ElementSpec[]): void => {
      for (const [position, spec] of specs.entries()) {
        insert.run(jobId, spec.uid, position, spec.kind, JSON.stringify(spec));
      }
      memo.of(jobId).runs = specs.map(newRun);
    },
    /** Inside a commit. */
    ofJob,
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
      if (to === undefined) return false;
      const assets = more.assets ? JSON.stringify(more.assets) : null;
      const why = more.failure ? JSON.stringify(more.failure) : null;
      if (move.run(to, assets, why, jobId, run.uid, run.state).changes === 0) return false;
      remember(jobId, run.uid, (known) => ({
        ...known,
        state: to,
        assets: more.assets ?? known.assets,
        failure: more.failure ?? known.failure,
      }));
      return true;
    },
    countRound: (jobId: number, uid: string): void => {
      countRound.run(jobId, uid);
      remember(jobId, uid, (run) => ({ ...run, rounds: run.rounds + 1 }));
    },
  };
};
